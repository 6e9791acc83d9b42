import type { EntryName, ListEntry } from '../entry.ts';

type Given = Partial<Omit<ListEntry, 'names'>> & { names?: (string | EntryName)[] };

/** An entry with what matters to the test; the first name is the primary one, the others are strong. */
export function entryOf({ names = ['Arnulfo Chiquillo Tunjano'], ...given }: Given = {}): ListEntry {
  return {
    id: 'entry-1',
    kind: 'person',
    birthDates: [],
    countries: [],
    identifiers: [],
    programmes: [],
    ...given,
    names: names.map((name, nth) =>
      typeof name === 'string' ? { text: name, quality: nth === 0 ? ('primary' as const) : ('strong' as const) } : name,
    ),
  };
}
