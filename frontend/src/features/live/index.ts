export { LineBadge } from "./CallHead";
export { CallsScreen } from "./CallsScreen";
export { LiveCall } from "./LiveCall";
export { useCall } from "./useCall";
