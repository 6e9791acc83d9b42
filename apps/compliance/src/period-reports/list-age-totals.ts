import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import type { DatedLists, ListAtMoment, NamedVersions } from '../lists/dated-lists.ts';

/** Decisions with the same versions, between two turning points of the lists. */
export interface DecisionGroup {
  versions: NamedVersions;
  count: number;
  /** Of the last one. */
  latest: Date;
}

interface OfList {
  oldest: ListAtMoment & { ageMs: number };
  stale: number;
}

/** How old the lists were when decisions were made with them. */
export class ListAgeTotals {
  decisions = 0;
  /** Decisions with a list that was older than allowed. */
  stale = 0;
  /** Decisions with a version whose dates are not kept any more. */
  unknown = 0;
  private readonly lists = new Map<ListCode, OfList>();

  constructor(private readonly dated: DatedLists) {}

  /** Between turning points a list is stale for all decisions or for none, and is oldest for the last one. */
  add({ versions, count, latest }: DecisionGroup): void {
    const lists = this.dated.at(versions, latest);
    this.decisions += count;
    if (lists.some(({ isStale }) => isStale)) this.stale += count;
    if (lists.some(({ ageMs }) => ageMs === null)) this.unknown += count;
    for (const list of lists) this.addList(list, count);
  }

  private addList(list: ListAtMoment, count: number): void {
    const { ageMs } = list;
    if (ageMs === null) return;
    const before = this.lists.get(list.list);
    const isOlder = before === undefined || ageMs > before.oldest.ageMs;
    const stale = (before?.stale ?? 0) + (list.isStale ? count : 0);
    this.lists.set(list.list, { oldest: isOlder ? { ...list, ageMs } : before.oldest, stale });
  }

  /** In the order in which results name the lists. */
  byList(): [ListCode, OfList][] {
    return ALL_LIST_CODES.flatMap((code): [ListCode, OfList][] => {
      const found = this.lists.get(code);
      return found ? [[code, found]] : [];
    });
  }
}
