import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it, vi } from "vitest";

import { Canvas, MarkStore } from "../../src/features/canvas";
import { createDesk } from "../../src/store";
import { chart } from "./chart";

function draw(mode: "design" | "watch" = "design") {
  const marks = new MarkStore();
  const desk = createDesk();
  const onEdit = vi.fn();
  const view = render(
    <MantineProvider>
      <div style={{ width: 1200, height: 800 }}>
        <Canvas draft={chart()} mode={mode} marks={marks} desk={desk} onEdit={onEdit} />
      </div>
    </MantineProvider>,
  );
  return { marks, desk, onEdit, view };
}

describe("the chart, to a screen reader", () => {
  it("names every state with its kind, its region and its ways out", () => {
    draw();
    expect(screen.getByLabelText("State Greeting, in Conversation, 2 transitions out")).toBeTruthy();
    expect(screen.getByLabelText("Composite state Refund, in Conversation, 1 transition out")).toBeTruthy();
    expect(screen.getByLabelText("Final state Goodbye, in Conversation, no transitions out")).toBeTruthy();
  });

  it("names every region and says which one speaks", () => {
    draw();
    expect(screen.getByLabelText("Speaker region Conversation")).toBeTruthy();
    expect(screen.getByLabelText("Observer region Consent")).toBeTruthy();
  });

  it("names every transition by its ends and its label", () => {
    draw();
    expect(screen.getByLabelText("Transition from Greeting to Refund: refund [slots.total < 250] / say sorry")).toBeTruthy();
  });

  it("has nothing that axe calls serious", async () => {
    const { view } = draw();
    const report = await axe.run(view.container, { rules: { "color-contrast": { enabled: false } } });
    const serious = report.violations.filter((one) => one.impact === "serious" || one.impact === "critical");
    expect(serious.map((one) => `${one.id}: ${one.nodes[0]?.html.slice(0, 120)}`)).toEqual([]);
  }, 60_000);
});

describe("the chart, under the hand", () => {
  it("selects a state by Enter and deletes it by Delete, with what belongs to it", () => {
    const { desk, onEdit } = draw();
    const state = screen.getByLabelText(/^State Greeting/);
    state.focus();
    fireEvent.keyDown(state, { key: "Enter" });
    expect(desk.store.getState().selection).toEqual([{ kind: "state", id: "greeting" }]);
    fireEvent.keyDown(state, { key: "Delete" });
    expect(onEdit).toHaveBeenCalledWith([{ op: "state.remove", id: "greeting" }], "Delete state");
  });

  it("adds the next state by Tab, connected, and asks for its name", () => {
    const { desk, onEdit } = draw();
    act(() => desk.select({ kind: "state", id: "greeting" }));
    fireEvent.keyDown(document.body, { key: "Tab" });
    const [operations] = onEdit.mock.calls[0] as [{ op: string }[]];
    expect(operations.map((one) => one.op)).toEqual(["state.add", "layout.set", "transition.add"]);
    expect(desk.store.getState().naming).not.toBeNull();
  });

  it("adds a sibling by Enter on what is selected, and duplicates by ⌘D in one batch", () => {
    const { desk, onEdit } = draw();
    act(() => desk.select({ kind: "state", id: "greeting" }));
    fireEvent.keyDown(document.body, { key: "Enter" });
    const [sibling] = onEdit.mock.calls[0] as [{ op: string }[]];
    expect(sibling.map((one) => one.op)).toEqual(["state.add", "layout.set"]);
    act(() => desk.set({ naming: null }));
    act(() => desk.select({ kind: "state", id: "ask" }));
    fireEvent.keyDown(document.body, { key: "d", ctrlKey: true });
    const [copy, label] = onEdit.mock.calls[1] as [{ op: string }[], string];
    expect(label).toBe("Duplicate");
    expect(copy.map((one) => one.op)).toEqual(["state.add", "layout.set", "transition.add"]);
  });

  it("walks along transitions by the arrows", () => {
    const { desk } = draw();
    act(() => desk.select({ kind: "state", id: "greeting" }));
    fireEvent.keyDown(document.body, { key: "ArrowRight" });
    expect(desk.store.getState().selection).toEqual([{ kind: "state", id: "refund" }]);
  });

  it("renames by F2: label and key together, until someone chose another key", () => {
    const { desk, onEdit } = draw();
    act(() => desk.select({ kind: "state", id: "greeting" }));
    fireEvent.keyDown(document.body, { key: "F2" });
    const field = screen.getByLabelText("Name");
    fireEvent.change(field, { target: { value: "Welcome" } });
    fireEvent.keyDown(field, { key: "Enter" });
    expect(onEdit).toHaveBeenCalledWith([{ op: "state.update", id: "greeting", fields: { label: "Welcome", key: "welcome" } }], "Rename");
  });

  it("changes nothing in watch mode", () => {
    const { desk, onEdit } = draw("watch");
    act(() => desk.select({ kind: "state", id: "greeting" }));
    for (const key of ["Delete", "Tab", "F2", "n"]) fireEvent.keyDown(document.body, { key });
    expect(onEdit).not.toHaveBeenCalled();
    expect(screen.queryByRole("toolbar", { name: "Drawing tools" })).toBeNull();
  });

  it("finds by any word", () => {
    const { desk } = draw();
    fireEvent.keyDown(document.body, { key: "f", ctrlKey: true });
    const find = screen.getByRole("search");
    fireEvent.change(within(find).getByLabelText("Find in the chart"), { target: { value: "sorry" } });
    fireEvent.keyDown(within(find).getByLabelText("Find in the chart"), { key: "Enter" });
    expect(desk.store.getState().selection).toEqual([{ kind: "transition", id: "t1" }]);
  });
});

describe("a chart without places", () => {
  it("is shown while the layouter is at work, and says so", () => {
    class Silent {
      onmessage = null;
      postMessage(): void {}
      terminate(): void {}
    }
    vi.stubGlobal("Worker", Silent);
    const view = render(
      <MantineProvider>
        <Canvas draft={{ ...chart(), layout: {} }} mode="design" marks={new MarkStore()} onEdit={vi.fn()} />
      </MantineProvider>,
    );
    expect(screen.getByText("Arranging the chart…")).toBeTruthy();
    expect(view.container.querySelectorAll(".react-flow__node-state")).toHaveLength(6);
    vi.unstubAllGlobals();
  });
});

describe("marks", () => {
  it("are told to those who cannot see them", () => {
    const { marks } = draw("watch");
    act(() => marks.set("state", "greeting", { active: "live", visited: 2 }));
    act(() => marks.set("transition", "t1", { visited: 1 }));
    const told = (name: RegExp): string | null | undefined => document.getElementById(screen.getByLabelText(name).getAttribute("aria-describedby") ?? "")?.textContent;
    expect(told(/^State Greeting/)).toBe("active now, entered 2 times");
    expect(told(/^Transition from Greeting to Refund/)).toBe("taken once");
  });

  it("light one state without drawing the others anew", () => {
    const { marks, view } = draw("watch");
    const state = view.container.querySelector('[data-state="greeting"]');
    const other = view.container.querySelector('[data-state="refund"]')?.className;
    act(() => marks.set("state", "greeting", { active: "live", visited: 2 }));
    expect(state?.className).toContain("is-live");
    expect(state?.textContent).toContain("2");
    expect(view.container.querySelector('[data-state="refund"]')?.className).toBe(other);
    act(() => marks.clear());
    expect(state?.className).not.toContain("is-live");
  });

  it("show a refused transition with its own sign, not by colour alone", () => {
    const { marks, view } = draw("watch");
    act(() => marks.set("transition", "t1", { flash: "refused" }));
    const wire = view.container.querySelector('[data-transition="t1"]');
    expect(wire?.getAttribute("class")).toContain("flash-refused");
    expect(wire?.querySelector(".lucide-ban")).not.toBeNull();
  });
});
