export { PublishSheet } from "./PublishSheet";
export { countProblems } from "./counts";
