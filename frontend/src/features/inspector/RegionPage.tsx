import { Plus, Trash2 } from "lucide-react";

import { indexOf, isSpeaker, nameOf, regionKeys, slug, stateKeys, uniqueKey, type Region } from "../../model";
import { newId } from "../../transport";
import { Button, Choice, Line, NumberLine } from "../../ui";
import { removeAll } from "../canvas";
import { Effects } from "./Effects";
import { faultsOf, hearStates, Rest, Title, Ways, type PageProps } from "./parts";

const SHOWN = ["label", "key", "role", "initial", "stability", "entry", "exit"];

export function RegionPage({ region, ...page }: PageProps & { region: Region }) {
  const { draft, desk, problems, onEdit } = page;
  const states = hearStates(draft, region.id);
  const holder = region.parent ? indexOf(draft).state.get(region.parent) : undefined;
  const edit = (fields: Partial<Region>, label = "Change region"): void => onEdit([{ op: "region.update", id: region.id, fields }], label);
  const stability = (fields: NonNullable<Region["stability"]>): void => edit({ stability: { ...region.stability, ...fields } });
  const makeSpeaker = (): void =>
    onEdit(
      draft.regions
        .filter((row) => row.parent === null && (row.id === region.id || isSpeaker(row)))
        .map((row) => ({ op: "region.update", id: row.id, fields: { role: row.id === region.id ? "speaker" : "observer" } }) as const),
      "Choose the speaker",
    );
  const addState = (): void => {
    const id = newId();
    onEdit(
      [
        { op: "state.add", id, region: region.id, fields: { key: uniqueKey("new_state", stateKeys(draft)), label: "New state" } },
        ...(region.initial === null ? [{ op: "region.update", id: region.id, fields: { initial: id } } as const] : []),
      ],
      "Add state",
    );
    desk.select({ kind: "state", id });
    desk.set({ naming: id });
  };
  return (
    <>
      <Title over={holder ? `Region in ${nameOf(holder)}` : isSpeaker(region) ? "Speaker region" : "Observer region"}>{nameOf(region)}</Title>
      <Rest problems={problems} shown={SHOWN} />
      <section className="in-section">
        <Line label="Name" name="label" value={nameOf(region)} onCommit={(text) => edit({ label: text.trim() || null }, "Rename")} faults={faultsOf(problems, "label")} />
        <Line label="Key" name="key" code value={region.key} onCommit={(text) => text.trim() && edit({ key: uniqueKey(slug(text, "region"), regionKeys(draft, region.id)) }, "Rename key")} faults={faultsOf(problems, "key")} />
        <Choice label="Starts in" name="initial" value={region.initial ?? ""} options={[...(region.initial === null ? [["", "nothing yet"] as const] : []), ...states]} onChange={(id) => edit({ initial: id || null }, "Set start state")} faults={faultsOf(problems, "initial")} />
        {region.parent === null && !isSpeaker(region) && (
          <Button size="sm" onClick={makeSpeaker} data-field="role">
            Make this the speaker
          </Button>
        )}
        <Button size="sm" icon={Plus} onClick={addState}>
          Add a state
        </Button>
      </section>
      <section className="in-section" aria-label="Stability">
        <h3>Stability</h3>
        <div className="in-pair">
          <Line label="Rest between moves" name="stability" code value={region.stability?.cooldown ?? ""} placeholder="0s" onCommit={(text) => stability({ cooldown: text.trim() || "0s" })} faults={faultsOf(problems, "stability")} />
          <NumberLine label="Confidence to go back" value={region.stability?.backward_confidence} onCommit={(value) => stability({ backward_confidence: value ?? 0 })} />
        </div>
      </section>
      <Ways source={region.id} {...page} />
      <Effects title="On entry" field="entry" effects={region.entry} draft={draft} problems={problems} onChange={(entry) => edit({ entry }, "Change entry effects")} />
      <Effects title="On exit" field="exit" effects={region.exit} draft={draft} problems={problems} onChange={(exit) => edit({ exit }, "Change exit effects")} />
      <div className="in-acts">
        <Button
          size="sm"
          kind="danger"
          icon={Trash2}
          onClick={() => {
            onEdit(removeAll(draft, [{ kind: "region", id: region.id }]), "Delete region");
            desk.select(null);
          }}
        >
          Delete region and all in it
        </Button>
      </div>
    </>
  );
}
