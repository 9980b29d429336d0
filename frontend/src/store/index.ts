export * from "./desk";
export * from "./editor";
export * from "./history";
export * from "./marks";
export * from "./people";
export * from "./suite";
export * from "./waiting";
