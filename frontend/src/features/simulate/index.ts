export { SimulatePanel } from "./SimulatePanel";
export { TestsPanel } from "./TestsPanel";
