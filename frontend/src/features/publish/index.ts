export { mayApprove, PublishSheet } from "./PublishSheet";
