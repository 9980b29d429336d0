import { Dialog } from "../../ui";
import { SHORTCUTS } from "../canvas";

/** `?`: what the keys do. */
export function Help({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys and gestures" width={680}>
      <div className="ds-help">
        {SHORTCUTS.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, words]) => (
                <div key={keys}>
                  <dt>
                    <kbd className="ui-key">{keys}</kbd>
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
