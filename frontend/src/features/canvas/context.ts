/** What the parts of a chart need from around them. */
import { createContext, useContext } from "react";

import type { Id, Operation } from "../../model";
import { MarkStore } from "../../store/marks";
import { createDesk, type Desk } from "../../store/desk";

export interface CanvasContext {
  desk: Desk;
  marks: MarkStore;
  design: boolean;
  /** Gives a state or region the name that was typed; null leaves it. */
  rename(kind: "state" | "region", id: Id, name: string | null): void;
  edit(operations: readonly Operation[], label: string): void;
}

const Canvas = createContext<CanvasContext>({
  desk: createDesk(),
  marks: new MarkStore(),
  design: false,
  rename: () => {},
  edit: () => {},
});

export const CanvasProvider = Canvas.Provider;
export const useCanvas = (): CanvasContext => useContext(Canvas);
