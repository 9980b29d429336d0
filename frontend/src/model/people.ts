/** People as the server names them. */
export type Person = string | { id: string; name: string } | null;

export function personName(person: Person | undefined): string | null {
  return typeof person === "string" ? person : (person?.name ?? null);
}
