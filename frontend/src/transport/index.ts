export * from "./drafts";
export * from "./http";
export * from "./resume";
export type { Here, Person } from "./frames";
