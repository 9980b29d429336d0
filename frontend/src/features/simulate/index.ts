export { SimulatePanel } from "./SimulatePanel";
