import { Env } from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { LIST_CODES, type ListCode } from '@constancia/reference-data';
import { IsIn, IsInt, Min } from 'class-validator';
import type { ActiveList } from './list-rows.sql.ts';
import type { ListRules } from './pinned-lists.ts';

const DAY_MS = 86_400_000;

/** What the lists are configured with. */
export class ListConfig extends HttpConfig {
  @Env('LISTS_MANDATORY', {
    description: 'Lists without which nobody is screened: as long as one of them is missing, screenings answer 503',
    default: LIST_CODES.join(','),
  })
  @IsIn(LIST_CODES, { each: true })
  mandatoryLists: ListCode[];

  @Env('LIST_MAX_AGE_DAYS', {
    description: 'Days after which a list counts as stale when no file of it was imported again, be it unchanged',
    default: '30',
  })
  @IsInt()
  @Min(1)
  listMaxAgeDays: number;

  @Env('FATF_MAX_AGE_DAYS', {
    description: "Days after the FATF's statement after which its table counts as stale; it meets every four months",
    default: '150',
  })
  @IsInt()
  @Min(1)
  fatfMaxAgeDays: number;
}

/** How old a list is: the FATF's table since the statement it comes from, another list since its file was last imported. */
export function ageMs(
  { list, published_at, checked_at }: Pick<ActiveList, 'list' | 'published_at' | 'checked_at'>,
  now = Date.now(),
): number {
  const since = list === 'FATF' ? (published_at ?? checked_at) : checked_at;
  return Math.max(0, now - since.getTime());
}

/** The rules of the configuration. A fictional list does not age, and a tenant's own one is the tenant's affair. */
export function listRules(config: ListConfig): ListRules {
  const { mandatoryLists, listMaxAgeDays, fatfMaxAgeDays } = config;
  return {
    mandatory: mandatoryLists,
    isStale: (row) =>
      !row.fictional &&
      row.list !== 'INTERNAL' &&
      ageMs(row) > DAY_MS * (row.list === 'FATF' ? fatfMaxAgeDays : listMaxAgeDays),
  };
}
