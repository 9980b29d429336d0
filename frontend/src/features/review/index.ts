export { Decision } from "./Decision";
export { ReviewScreen } from "./ReviewScreen";
export { useVersion } from "./useReview";
export { Versions } from "./Versions";
