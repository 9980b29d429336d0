export { moveWords, nextMove } from "./moves";
export { PublishSheet } from "./PublishSheet";
export { countProblems } from "./counts";
