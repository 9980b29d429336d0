export * from "./blank";
export * from "./draft";
export * from "./names";
export * from "./operations";
export type {
  Allowed,
  Call,
  CallAnswer,
  CallEvent,
  CallSlot,
  EffectReport,
  GuardRead,
  HookReport,
  RecordReport,
  RefusalReport,
  Step,
  Value,
} from "./step";
export * from "./tree";
