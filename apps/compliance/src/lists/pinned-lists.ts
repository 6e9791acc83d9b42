import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { type ListIndex, ListSet } from '@constancia/name-screening';
import type { FatfStatus } from '@constancia/rule-graph';
import type { ActiveList } from './list-rows.sql.ts';

/** One version of one list, ready to be matched against. */
export interface LoadedList {
  row: ActiveList;
  /** Null for FATF: nobody's name is on it. */
  index: ListIndex | null;
  /** Of the FATF list: the status of each country on it. */
  fatf?: ReadonlyMap<string, FatfStatus>;
}

/**
 * The lists as they were at one moment. A screening asks for them once and uses nothing else: whatever is imported meanwhile, it
 * never sees two versions of one list.
 */
export interface PinnedLists {
  /** What names and identifiers are matched against. */
  readonly set: ListSet;
  /** Of every list in the set. An INTERNAL list of the operator and one of the tenant are named together: `3-9f2c41aa+1-07be11d2`. */
  readonly versions: Readonly<Partial<Record<ListCode, string>>>;
  /** Mandatory lists that were never imported: nobody is screened without them. */
  readonly missing: readonly ListCode[];
  /** FATF status by ISO 3166-1 alpha-2 country; a country left out has none. */
  readonly fatf: ReadonlyMap<string, FatfStatus>;
  /** Lists whose latest version is older than it should be. */
  readonly stale: readonly ListCode[];
  /** What is known of each version, in the order in which results name the lists. */
  readonly rows: readonly ActiveList[];
}

export interface ListPolicy {
  /** Codes without which nobody is screened. */
  mandatory: readonly ListCode[];
  /** Whether a list is older than it should be. */
  isStale(row: ActiveList): boolean;
}

const NO_COUNTRIES: ReadonlyMap<string, FatfStatus> = new Map();

/** Puts loaded lists together, in the order in which results name them; the operator's INTERNAL list before the tenant's. */
export function pin(loaded: readonly LoadedList[], policy: ListPolicy): PinnedLists {
  const ordered = ALL_LIST_CODES.flatMap((code) =>
    loaded
      .filter(({ row }) => row.list === code)
      .sort((a, b) => Number(a.row.tenant_id !== null) - Number(b.row.tenant_id !== null)),
  );
  const versions: Partial<Record<ListCode, string>> = {};
  for (const { row } of ordered) {
    const before = versions[row.list];
    versions[row.list] = before === undefined ? row.version : `${before}${BOTH}${row.version}`;
  }
  return Object.freeze({
    rows: Object.freeze(ordered.map(({ row }) => row)),
    set: new ListSet(ordered.flatMap(({ index }) => index ?? [])),
    versions: Object.freeze(versions),
    missing: Object.freeze(policy.mandatory.filter((code) => versions[code] === undefined)),
    fatf: ordered.find(({ fatf }) => fatf !== undefined)?.fatf ?? NO_COUNTRIES,
    /** Asked when it is read: a list grows old without anybody doing anything. */
    get stale() {
      return [...new Set(ordered.filter(({ row }) => policy.isStale(row)).map(({ row }) => row.list))];
    },
  });
}

const BOTH = '+';

/** The version names within one of PinnedLists.versions. */
export const versionsIn = (names: string): string[] => names.split(BOTH);
