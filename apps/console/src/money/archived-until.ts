/** Until when entries of the ledger are archived, if a list that begins at `from` (an instant; undefined: at the first entry) lacks some of them. */
export function archivedWithin(until: string | null | undefined, from: string | undefined): string | null {
  if (until === null || until === undefined) return null;
  return from === undefined || Date.parse(from) <= Date.parse(until) ? until : null;
}
