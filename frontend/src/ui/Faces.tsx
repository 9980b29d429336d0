/** People as initials in their colour, with names for screen readers and in the tooltip. */
import "./faces.css";

export interface Face {
  key: string;
  name: string;
  colour: string;
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .join("")
    .slice(0, 2)
    .toUpperCase();

const SHOWN = 4;

export function Faces({ faces, label = "Also here" }: { faces: readonly Face[]; label?: string }) {
  if (faces.length === 0) return null;
  return (
    <ul className="ui-faces" aria-label={label}>
      {faces.slice(0, SHOWN).map(({ key, name, colour }) => (
        <li key={key} className="ui-face" title={`${label}: ${name}`} style={{ background: colour }}>
          <span aria-hidden>{initials(name)}</span>
          <span className="ui-sr">{name}</span>
        </li>
      ))}
      {faces.length > SHOWN && <li className="ui-faces-more ui-num" title={faces.slice(SHOWN).map((face) => face.name).join(", ")}>+{faces.length - SHOWN}</li>}
    </ul>
  );
}
