export * from "./drafts";
export * from "./http";
export * from "./resume";
