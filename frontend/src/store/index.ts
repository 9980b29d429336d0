export * from "./desk";
export * from "./editor";
export * from "./history";
export * from "./marks";
export * from "./suite";
