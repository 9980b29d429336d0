/** Who else is at a draft: their colour, and what each has selected or is typing in. */
import type { Id } from "../model";
import type { Person } from "../transport";

/** Hues that are told apart, none of them those of problems or of the selection. */
const HUES = [25, 160, 285, 330, 205, 95];

/** A person keeps their colour, in every window and for everybody. */
export function hueOf(user: string): number {
  let sum = 0;
  for (const letter of user) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return HUES[sum % HUES.length] ?? 25;
}

export const nameOfPerson = (person: Person): string => person.user.name ?? "Somebody";
const idOf = (person: Person): string => person.user.id ?? person.session;
export const hueOfPerson = (person: Person): number => hueOf(idOf(person));

/** White letters are read on it, in the light and in the dark. */
export const colourOf = (hue: number): string => `hsl(${hue} 62% 38%)`;

/** Each person once, however many windows they have. */
export function distinct(people: readonly Person[]): Person[] {
  return [...new Map(people.map((person) => [idOf(person), person])).values()];
}

/** As faces to show: `{key, name, colour}`, each person once. */
export const facesOf = (people: readonly Person[]): { key: string; name: string; colour: string }[] =>
  distinct(people).map((person) => ({ key: person.session, name: nameOfPerson(person), colour: colourOf(hueOfPerson(person)) }));

/** Who has this row selected; the same list object as long as nothing changes is the caller's care. */
export const atRow = (people: readonly Person[], id: Id): Person[] => distinct(people.filter((person) => person.selection.includes(id)));

/** `"25 Finn, 160 Rui"`: who is at a row, as one value that compares by itself. */
export const markOf = (people: readonly Person[], id: Id): string =>
  people.length === 0 ? "" : atRow(people, id).map((person) => `${hueOfPerson(person)} ${nameOfPerson(person)}`).join(", ");

/** The hue and the names in such a mark. */
export function readMark(mark: string): { hue: number; names: string } | null {
  if (mark === "") return null;
  const parts = mark.split(", ");
  return { hue: Number.parseInt(parts[0] ?? "", 10), names: parts.map((part) => part.replace(/^\d+ /, "")).join(", ") };
}

/** Who types in a field of a row right now. */
export const typingIn = (people: readonly Person[], id: Id): Person[] => people.filter((person) => person.field?.startsWith(`${id}.`) ?? false);
