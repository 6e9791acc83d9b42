import type { ComplianceConfig } from '../config.ts';
import type { ActiveList } from './list-rows.sql.ts';
import type { ListPolicy } from './pinned-lists.ts';

const DAY_MS = 86_400_000;

/** Days after which lists count as stale. */
export type MaxAges = Pick<ComplianceConfig, 'listMaxAgeDays' | 'fatfMaxAgeDays'>;

/** How old a list is: the FATF's table since the statement it comes from, another list since its file was last imported. */
export function ageMs(
  { list, published_at, checked_at }: Pick<ActiveList, 'list' | 'published_at' | 'checked_at'>,
  now = Date.now(),
): number {
  const since = list === 'FATF' ? (published_at ?? checked_at) : checked_at;
  return Math.max(0, now - since.getTime());
}

/** The age in days beyond which a list is stale. Null for lists that do not age: fictional ones, and a tenant's own, which the tenant keeps up to date. */
export function maxAgeDays({ list, fictional }: Pick<ActiveList, 'list' | 'fictional'>, ages: MaxAges): number | null {
  if (fictional || list === 'INTERNAL') return null;
  return list === 'FATF' ? ages.fatfMaxAgeDays : ages.listMaxAgeDays;
}

/** The same in milliseconds. */
export function maxAgeMs(row: Pick<ActiveList, 'list' | 'fictional'>, ages: MaxAges): number | null {
  const days = maxAgeDays(row, ages);
  return days === null ? null : days * DAY_MS;
}

/** The policy of the configuration. */
export function listPolicy(config: ComplianceConfig): ListPolicy {
  return {
    mandatory: config.mandatoryLists,
    isStale: (row) => {
      const most = maxAgeMs(row, config);
      return most !== null && ageMs(row) > most;
    },
  };
}
