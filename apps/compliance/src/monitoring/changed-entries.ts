import type { ListCode } from '@constancia/reference-data';
import { buildIndex, type ListEntry, ListSet, Prefilter } from '@constancia/name-screening';
import type { SubjectPayload, SubjectType } from '@constancia/rule-graph';
import { type EntryChange, unpackChanges } from '../lists/entry-lines.ts';
import { lookUp, type NameLists } from '../screenings/look-up.ts';
import { relatedParties } from '../screenings/related-parties.ts';

/**
 * Whom a change of a list concerns. What the matcher says of an entry depends on nothing else on the list, so a subject's matches
 * can only have changed where an entry that was added, changed or removed matches the subject, as it was or as it is: an index of these
 * few finds the same subjects as all lists would.
 */
export class ChangedEntries {
  private constructor(
    private readonly names: NameLists | null,
    private readonly countries: ReadonlySet<string>,
  ) {}

  static async of(list: ListCode, packed: readonly Uint8Array[]): Promise<ChangedEntries> {
    const changes = (await Promise.all(packed.map((bytes) => unpackChanges(Buffer.from(bytes))))).flat();
    const states = statesOf(changes);
    if (list === 'FATF') return new ChangedEntries(null, new Set(states.flatMap(({ countries }) => countries)));
    return new ChangedEntries(quicklyMatched(new ListSet([buildIndex(list, states)])), new Set());
  }

  /** Whether something about the people whom a payload names may have changed. */
  concern(payload: SubjectPayload, subjectType: SubjectType): boolean {
    const parties = (relatedParties(payload) ?? []).map(({ party }) => ({ person: party, kind: undefined }));
    return [{ person: payload, kind: subjectType }, ...parties].some(({ person, kind }) => {
      if (person.country_code !== undefined && this.countries.has(person.country_code.toUpperCase())) return true;
      if (this.names === null) return false;
      const found = lookUp(this.names, person, kind);
      return found !== null && found.hits.length + found.nearMisses.length > 0;
    });
  }
}

/** Most subjects have nothing in common with a few entries: they are recognised at once. */
function quicklyMatched(set: ListSet): NameLists {
  const quick = new Prefilter(set);
  return { match: (query, options) => (quick.mayMatch(query) ? set.match(query, options) : { hits: [], data: [] }) };
}

/** Every state in which a changed entry was, each as an entry of its own. */
function statesOf(changes: readonly EntryChange[]): ListEntry[] {
  const states = new Map<string, ListEntry>();
  for (const { before, after } of changes)
    for (const state of [before, after]) if (state) states.set(JSON.stringify(state), state);
  return [...states.values()].map((state, nth) => ({ ...state, id: `${state.id}#${nth}` }));
}
