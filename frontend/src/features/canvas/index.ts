/** The front door of the chart: everything another feature may use of it. */
export { MarkStore, useMark, type Mark, type MarkKind } from "../../store/marks";
export { Canvas, type CanvasProps } from "./Canvas";
export { triggerOf } from "./Ask";
export { addInside, addNext, connect, removeAll } from "./acts";
export { ObserverIcon, SpeakerIcon, stateIcon, triggerIcon } from "./icons";
export { SHORTCUTS } from "./keys";
export type { Spent } from "./frame";
export type { Acts } from "./Tools";
export { viewsOf, type StateView, type TransitionView } from "./view";
export { useToScreen, ViewLink } from "./linked";
export type { Picture } from "./useGeometry";
