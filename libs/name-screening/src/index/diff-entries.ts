import { canonicalJson } from '@constancia/kernel';
import type { ListEntry } from '../entry.ts';

/** What changed from one version of a list to the next. */
export interface EntryDiff {
  added: ListEntry[];
  /** Same id, other content. */
  changed: { before: ListEntry; after: ListEntry }[];
  removed: ListEntry[];
}

/**
 * Compares two versions of a list by the content of their entries (canonical JSON; the order of entries does not matter). Subjects
 * that a new version may affect are those that match an index of `added` and `changed.after`, and those with a hit on an id of
 * `changed` or `removed`: all other scores stay as they were.
 */
export function diffEntries(before: Iterable<ListEntry>, after: Iterable<ListEntry>): EntryDiff {
  const old = new Map([...before].map((entry) => [entry.id, entry]));
  const diff: EntryDiff = { added: [], changed: [], removed: [] };
  for (const entry of after) {
    const former = old.get(entry.id);
    old.delete(entry.id);
    if (!former) diff.added.push(entry);
    else if (canonicalJson(former) !== canonicalJson(entry)) diff.changed.push({ before: former, after: entry });
  }
  diff.removed.push(...old.values());
  return diff;
}
