import type { BirthDate, EntryIdentifier, ListEntry } from '../entry.ts';
import { sameIdentifier } from '../normalise/identifier.ts';
import { round4 } from './align-names.ts';
import type { BirthDateVerdict, CapReason, Evidence, ScreeningQuery } from './screening-query.ts';
import { DEFAULT_THRESHOLD } from '../version.ts';

/** Most that evidence beside the name can add: names further below the cut need not be looked at. */
export const MOST_ADDED = 0.07;
const ADDED: Record<BirthDateVerdict, number> = { same_day: 0.06, same_year: 0.02, close: 0, different: 0, unknown: 0 };
const COUNTRY_ADDED = { same: 0.01, different: -0.02, unknown: 0 };

/** The same for what a query has besides its name. Scores of names are rounded before anything is added: hence the half of a step. */
export function mostAdded({ birth, query }: { birth: QueryBirth | null; query: ScreeningQuery }): number {
  const dated = birth ? Math.max(...Object.values(ADDED)) : 0;
  return Math.min(MOST_ADDED, dated + ((query.countries?.length ?? 0) > 0 ? COUNTRY_ADDED.same : 0) + ROUNDING);
}
const ROUNDING = 0.5e-4;

/** With a birth date that differs. */
const OTHER_BIRTH_DATE = 0.85;
const CEILING = {
  namesOnly: 0.95,
  compared: 0.99,
  nearOnly: DEFAULT_THRESHOLD - 0.01,
  otherBirthDate: DEFAULT_THRESHOLD - 0.03,
  shortRomanised: 0.86,
};
/** Years that "circa" leaves open on either side. */
const CIRCA_YEARS = 2;

export interface QueryBirth {
  /** YYYY-MM-DD, or null if only the year is known. */
  day: string | null;
  year: number;
}

export interface NameFinding {
  score: number;
  weak: boolean;
  shortRomanised: boolean;
  /** Equal names without a word in them: "Corp". */
  wordless: boolean;
}

export interface Judgement {
  score: number;
  identifierMatched: boolean;
  capped: CapReason | null;
  evidence: Omit<Evidence, 'name' | 'capped_by'>;
}

/** Puts the name beside all else that is known of the two. */
export function judge(entry: ListEntry, name: NameFinding, query: ScreeningQuery, birth: QueryBirth | null): Judgement {
  const birthDate = compareBirth(entry.birthDates, birth);
  const country = compareCountries(entry.countries, query.countries ?? []);
  const identifier = compareIdentifiers(entry.identifiers, query.documents ?? []);
  const evidence = { birth_date: birthDate, country, identifier };
  if (identifier.verdict === 'same') return { score: 1, identifierMatched: true, capped: null, evidence };
  const verdict = birthDate.verdict;
  const added = ADDED[verdict] + COUNTRY_ADDED[country.verdict];
  const differs = verdict === 'different' ? OTHER_BIRTH_DATE : 1;
  const nothingElse = verdict === 'unknown' && country.verdict === 'unknown';
  const least = lowest(ceilings(entry, name, query, verdict, nothingElse));
  const score = Math.max(0, Math.min(name.score, CEILING.namesOnly) * differs + added);
  const capped = score > least.ceiling || (nothingElse && name.score > CEILING.namesOnly) ? least.reason : null;
  return { score: round4(Math.min(score, least.ceiling)), identifierMatched: false, capped, evidence };
}

/** What holds the score down, and where. */
function ceilings(
  entry: ListEntry,
  name: NameFinding,
  query: ScreeningQuery,
  verdict: BirthDateVerdict,
  nothingElse: boolean,
): { reason: CapReason; ceiling: number; holds: boolean }[] {
  const sameDay = verdict === 'same_day';
  return [
    { reason: 'birth_date_differs', ceiling: CEILING.otherBirthDate, holds: verdict === 'different' },
    { reason: 'unmatchable_name', ceiling: CEILING.nearOnly, holds: name.wordless },
    { reason: 'kind_differs', ceiling: CEILING.nearOnly, holds: kindDiffers(entry, query) },
    { reason: 'weak_alias', ceiling: CEILING.nearOnly, holds: name.weak && !sameDay },
    { reason: 'short_romanised_name', ceiling: CEILING.shortRomanised, holds: name.shortRomanised && !sameDay },
    { reason: 'names_only', ceiling: nothingElse ? CEILING.namesOnly : CEILING.compared, holds: true },
  ];
}

const lowest = (rules: ReturnType<typeof ceilings>) =>
  rules.filter(({ holds }) => holds).reduce((least, rule) => (rule.ceiling < least.ceiling ? rule : least));

const KIND: Record<ListEntry['kind'], 'natural' | 'legal' | null> = {
  person: 'natural',
  organisation: 'legal',
  vessel: 'legal',
  aircraft: 'legal',
  unknown: null,
};

function kindDiffers(entry: ListEntry, query: ScreeningQuery): boolean {
  const kind = KIND[entry.kind];
  return kind !== null && query.kind !== undefined && kind !== query.kind;
}

const RANK: readonly BirthDateVerdict[] = ['same_day', 'same_year', 'close', 'different'];

/** The best verdict over the entry's dates. */
function compareBirth(dates: readonly BirthDate[], birth: QueryBirth | null): Evidence['birth_date'] {
  const query = birth ? (birth.day ?? String(birth.year)) : null;
  let best: { verdict: BirthDateVerdict; entry: string | null } = { verdict: 'unknown', entry: null };
  if (birth)
    for (const date of dates) {
      const verdict = birthVerdict(date, birth);
      if (verdict !== null && (best.entry === null || RANK.indexOf(verdict) < RANK.indexOf(best.verdict)))
        best = { verdict, entry: spellBirth(date) };
    }
  return { verdict: best.verdict, query, entry: best.entry ?? (dates[0] ? spellBirth(dates[0]) : null) };
}

const spellBirth = ({ from, to, circa }: BirthDate) =>
  `${circa ? 'circa ' : ''}${from === to ? from : `${from}/${to}`}`;

function birthVerdict(date: BirthDate, { day, year }: QueryBirth): BirthDateVerdict | null {
  const [first, last] = [Number(date.from.slice(0, 4)), Number(date.to.slice(0, 4))];
  if (!Number.isInteger(first) || !Number.isInteger(last)) return null;
  if (day !== null && date.from === date.to && date.from === day && !date.circa) return 'same_day';
  const slack = date.circa ? CIRCA_YEARS : 0;
  if (year >= first - slack && year <= last + slack) return sameYear(date, day);
  return year >= first - slack - 1 && year <= last + slack + 1 ? 'close' : 'different';
}

/** The year agrees. Two exact days of one year that differ are less than a year alone, unless day and month are swapped. */
function sameYear(date: BirthDate, day: string | null): BirthDateVerdict {
  if (day === null || date.circa || date.from !== date.to) return 'same_year';
  return 'close';
}

function compareCountries(entry: readonly string[], query: readonly string[]): Evidence['country'] {
  const upper = (codes: readonly string[]) => [...new Set(codes.map((code) => code.toUpperCase()))].sort();
  const [own, other] = [upper(query), upper(entry)];
  const unknown = own.length === 0 || other.length === 0;
  const verdict = unknown ? 'unknown' : own.some((code) => other.includes(code)) ? 'same' : 'different';
  return { verdict, query: own, entry: other };
}

function compareIdentifiers(
  entry: readonly EntryIdentifier[],
  query: readonly EntryIdentifier[],
): Evidence['identifier'] {
  for (const document of query)
    for (const identifier of entry)
      if (sameIdentifier(document, identifier))
        return { verdict: 'same', query: spell(document), entry: spell(identifier) };
  const comparable = query.some((document) => entry.some((identifier) => sameSeries(document, identifier)));
  return { verdict: comparable ? 'different' : 'unknown', query: query[0] ? spell(query[0]) : null, entry: null };
}

const sameSeries = (a: EntryIdentifier, b: EntryIdentifier) =>
  a.type.toUpperCase() === b.type.toUpperCase() &&
  Boolean(a.country) &&
  a.country?.toUpperCase() === b.country?.toUpperCase();

const spell = ({ type, country, number }: EntryIdentifier) => [type, country, number].filter(Boolean).join(' ');
