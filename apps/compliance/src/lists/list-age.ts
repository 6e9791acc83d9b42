import type { ComplianceConfig } from '../config.ts';
import type { ActiveList } from './list-rows.sql.ts';
import type { ListPolicy } from './pinned-lists.ts';

const DAY_MS = 86_400_000;

/** How old a list is: the FATF's table since the statement it comes from, another list since its file was last imported. */
export function ageMs(
  { list, published_at, checked_at }: Pick<ActiveList, 'list' | 'published_at' | 'checked_at'>,
  now = Date.now(),
): number {
  const since = list === 'FATF' ? (published_at ?? checked_at) : checked_at;
  return Math.max(0, now - since.getTime());
}

/** The policy of the configuration. A fictional list does not age, and a tenant's own list is kept up to date by the tenant. */
export function listPolicy({ mandatoryLists, listMaxAgeDays, fatfMaxAgeDays }: ComplianceConfig): ListPolicy {
  return {
    mandatory: mandatoryLists,
    isStale: (row) =>
      !row.fictional &&
      row.list !== 'INTERNAL' &&
      ageMs(row) > DAY_MS * (row.list === 'FATF' ? fatfMaxAgeDays : listMaxAgeDays),
  };
}
