import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { apply, applyAll, blankDraft, GoneError, invert, invertAll, type Draft, type Operation } from "../../src/model";

/** A lane with a composite, a lane beside it, transitions across, a slot, a limit target. */
function sample(): Draft {
  return applyAll(blankDraft(), [
    { op: "region.add", id: "talk", parent: null, fields: { key: "talk", role: "speaker" } },
    { op: "region.add", id: "watch", parent: null, fields: { key: "watch", role: "observer" } },
    { op: "state.add", id: "a", region: "talk", fields: { key: "a" } },
    { op: "state.add", id: "b", region: "talk", fields: { key: "b" } },
    { op: "state.add", id: "c", region: "watch", fields: { key: "c" } },
    { op: "region.add", id: "inner", parent: "b", fields: { key: "inner" } },
    { op: "state.add", id: "d", region: "inner", fields: { key: "d" } },
    { op: "state.add", id: "e", region: "inner", fields: { key: "e" } },
    { op: "region.update", id: "talk", fields: { initial: "a" } },
    { op: "region.update", id: "inner", fields: { initial: "d" } },
    { op: "transition.add", id: "t1", source: "a", fields: { target: "b", on: { event: "x" } } },
    { op: "transition.add", id: "t2", source: "a", fields: { target: "d", on: { event: "y" } } },
    { op: "transition.add", id: "t3", source: "d", fields: { target: "e", on: { event: "z" } } },
    { op: "transition.add", id: "t4", source: "talk", fields: { target: "b", on: { event: "w" } } },
    { op: "slot.add", id: "s1", fields: { key: "one" } },
    { op: "slot.add", id: "s2", fields: { key: "two" } },
    { op: "limits.update", fields: { turns: 5, target: "b" } },
    { op: "layout.set", id: "b", fields: { x: 1, y: 2, w: 3, h: 4 } },
  ]);
}

/** Order matters among siblings only: compare rows grouped by where they hang. */
function shape(draft: Draft): unknown {
  const sorted = <R extends { id: string }>(rows: readonly R[], place: (row: R) => string | null): unknown =>
    rows.map((row) => [place(row) ?? "", row] as const).sort((x, y) => x[0].localeCompare(y[0]));
  return {
    ...draft,
    regions: sorted(draft.regions, (row) => row.parent),
    states: sorted(draft.states, (row) => row.region),
    transitions: sorted(draft.transitions, (row) => row.source),
    layout: Object.entries(draft.layout).sort(),
    limits: Object.entries(draft.limits)
      .filter(([, value]) => value !== null)
      .sort(),
  };
}

const pick = (draft: Draft, list: "regions" | "states" | "transitions" | "slots"): fc.Arbitrary<string> =>
  draft[list].length ? fc.constantFrom(...draft[list].map((row) => row.id)) : fc.constant("nothing");

function operation(draft: Draft, fresh: string): fc.Arbitrary<Operation> {
  const index = fc.nat(4);
  const region = pick(draft, "regions");
  const state = pick(draft, "states");
  const key = fc.constantFrom("k1", "k2", "k3");
  return fc.oneof(
    fc.record({ op: fc.constant("region.add" as const), id: fc.constant(fresh), parent: fc.option(state), index, fields: fc.record({ key }) }),
    fc.record({ op: fc.constant("state.add" as const), id: fc.constant(fresh), region, index, fields: fc.record({ key }) }),
    fc.record({ op: fc.constant("transition.add" as const), id: fc.constant(fresh), source: state, index, fields: fc.record({ target: fc.option(state) }) }),
    fc.record({ op: fc.constant("slot.add" as const), id: fc.constant(fresh), index, fields: fc.record({ key }) }),
    fc.record({ op: fc.constant("state.update" as const), id: state, fields: fc.record({ key, prompt: fc.constant("p") }) }),
    fc.record({ op: fc.constant("region.update" as const), id: region, fields: fc.record({ initial: fc.option(state) }) }),
    fc.record({ op: fc.constant("transition.update" as const), id: pick(draft, "transitions"), fields: fc.record({ guard: fc.option(key) }) }),
    fc.record({ op: fc.constant("state.move" as const), id: state, region, index }),
    fc.record({ op: fc.constant("transition.move" as const), id: pick(draft, "transitions"), source: state, index }),
    fc.record({ op: fc.constant("slot.move" as const), id: pick(draft, "slots"), index }),
    fc.record({ op: fc.constant("region.remove" as const), id: region }),
    fc.record({ op: fc.constant("state.remove" as const), id: state }),
    fc.record({ op: fc.constant("transition.remove" as const), id: pick(draft, "transitions") }),
    fc.record({ op: fc.constant("slot.remove" as const), id: pick(draft, "slots") }),
    fc.record({ op: fc.constant("limits.update" as const), fields: fc.record({ turns: fc.nat(9), target: fc.option(state) }) }),
    fc.record({ op: fc.constant("entry.add" as const), list: fc.constantFrom("tools" as const, "prompts" as const), index: fc.nat(2), fields: fc.record({ key }) }),
    fc.record({ op: fc.constant("entry.update" as const), list: fc.constantFrom("tools" as const, "prompts" as const), key, fields: fc.record({ key: fc.constantFrom("k4", "k5") }) }),
    fc.record({ op: fc.constant("entry.move" as const), list: fc.constant("prompts" as const), key, index: fc.nat(2) }),
    fc.record({ op: fc.constant("entry.remove" as const), list: fc.constantFrom("tools" as const, "prompts" as const), key }),
    fc.record({ op: fc.constant("settings.update" as const), fields: fc.record({ name: key, instructions: key }) }),
    fc.record({ op: fc.constant("layout.set" as const), id: state, fields: fc.option(fc.record({ x: fc.nat(), y: fc.nat(), w: fc.nat(), h: fc.nat() })) }),
  );
}

/** A state may not be moved into itself: the server refuses it, and so does the canvas. */
function runs(): fc.Arbitrary<Operation[]> {
  return fc.array(fc.nat(), { minLength: 1, maxLength: 12 }).map((seeds) => {
    let draft = sample();
    const done: Operation[] = [];
    seeds.forEach((seed, n) => {
      const [next] = fc.sample(operation(draft, `new${n}`), { numRuns: 1, seed });
      if (!next || (next.op === "state.move" && draft.regions.some((row) => row.parent !== null))) return;
      try {
        draft = apply(draft, next);
        done.push(next);
      } catch (error) {
        if (!(error instanceof GoneError)) throw error;
      }
    });
    return done;
  });
}

describe("operations", () => {
  it("lead back by their inverses, whatever they were", () => {
    fc.assert(
      fc.property(runs(), (operations) => {
        const first = sample();
        const inverse = invertAll(first, operations);
        const last = applyAll(first, operations);
        expect(shape(applyAll(last, inverse))).toEqual(shape(first));
        const again = invertAll(last, inverse);
        expect(shape(applyAll(applyAll(last, inverse), again))).toEqual(shape(last));
      }),
      { numRuns: 150 },
    );
  });

  it("never change the draft they are given", () => {
    const draft = Object.freeze(sample());
    const before = JSON.stringify(draft);
    apply(draft, { op: "state.remove", id: "b" });
    apply(draft, { op: "transition.update", id: "t1", fields: { guard: "true" } });
    expect(JSON.stringify(draft)).toBe(before);
  });

  it("take what is inside a state, and the transitions to it", () => {
    const after = apply(sample(), { op: "state.remove", id: "b" });
    expect(after.states.map((row) => row.id)).toEqual(["a", "c"]);
    expect(after.regions.map((row) => row.id)).toEqual(["talk", "watch"]);
    expect(after.transitions).toEqual([]);
    expect(after.limits.target).toBeNull();
    expect(after.layout).toEqual({});
  });

  it("bring a removed composite back with its order, its insides and its place", () => {
    const first = sample();
    const inverse = invert(first, { op: "state.remove", id: "b" });
    const back = applyAll(apply(first, { op: "state.remove", id: "b" }), inverse);
    expect(shape(back)).toEqual(shape(first));
  });

  it("put a row at its index among its siblings", () => {
    const after = apply(sample(), { op: "state.add", id: "n", region: "talk", index: 1, fields: { key: "n" } });
    expect(after.states.filter((row) => row.region === "talk").map((row) => row.id)).toEqual(["a", "n", "b"]);
  });

  it("refuse what is gone, naming it", () => {
    expect(() => apply(sample(), { op: "state.update", id: "zzz", fields: {} })).toThrow(/zzz/);
    expect(() => apply(sample(), { op: "state.add", id: "a", region: "talk", fields: {} })).toThrow(/already/);
  });
});
