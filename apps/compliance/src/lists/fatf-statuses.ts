import type { CountryCategory, CountryStatus, ListEntry } from '@constancia/name-screening';
import type { FatfStatus } from '@constancia/rule-graph';

/**
 * Enhanced due diligence is what the call for action asks for in one case, counter-measures in others: a rule that distinguishes them
 * names the countries.
 */
const STATUS: Record<CountryCategory, FatfStatus> = {
  call_for_action: 'call_for_action',
  call_for_action_edd: 'call_for_action',
  increased_monitoring: 'increased_monitoring',
};

/** A country of the FATF table, kept as the other lists' entries are: so versions of it are compared and stored alike. */
export function entryOfCountry({ country, name, category }: CountryStatus): ListEntry {
  return {
    id: country,
    kind: 'unknown',
    names: [{ text: name, quality: 'primary' }],
    birthDates: [],
    countries: [country],
    identifiers: [],
    programmes: [category],
  };
}

/** FATF status by country. */
export function fatfStatuses(entries: readonly ListEntry[]): ReadonlyMap<string, FatfStatus> {
  return new Map(entries.map(({ id, programmes }) => [id, STATUS[programmes[0] as CountryCategory]]));
}
