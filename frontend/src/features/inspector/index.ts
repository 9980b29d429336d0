export { Inspector, type InspectorProps } from "./Inspector";
