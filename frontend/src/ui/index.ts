/** The small parts. This room knows no domain word. */
export { Dialog, Menu, Sheet } from "./Dialog";
export { Choice, Faults, Labelled, Line, NumberLine, Paragraph, CheckLine, type Fault } from "./fields";
export { Faces, type Face } from "./Faces";
export { hasMod, isTyping, mod, useKeys } from "./keys";
export { Avatar, Badge, Button, EmptyState, IconButton, KeyHint, Loading, Note, Panel, type Tone } from "./parts";
export { Split, type SplitPart } from "./Split";
export { Segmented, Tabs, type Tab } from "./Tabs";
export { chooseTheme, currentTheme, startTheme, useTheme, type ThemeChoice } from "./theme";
export { Timeline, type Tick, type TickShape } from "./Timeline";
export { ago, clock, secondsBetween } from "./time";
export { useTitle } from "./title";
export { toast } from "./toast";
export { TopBar } from "./TopBar";
export { UiProvider } from "./UiProvider";
export { useNow } from "./useNow";
