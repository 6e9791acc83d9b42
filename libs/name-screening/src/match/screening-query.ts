import type { EntryKind, ListCode } from '../entry.ts';

/** Who is screened. Only `fullName` is needed; everything else makes the answer sharper. */
export interface ScreeningQuery {
  /** In any script, order and spelling. */
  fullName: string;
  /** A hit on an entry known to be of the other kind stays `near`, unless an identifier agrees. */
  kind?: 'natural' | 'legal';
  /** `YYYY-MM-DD`. Taken before `birthYear`. */
  birthDate?: string;
  birthYear?: number;
  /** ISO 3166-1 alpha-2: nationality, residence. */
  countries?: string[];
  documents?: { type: string; country?: string; number: string }[];
}

export interface MatchOptions {
  /** A score of at least this much is a `hit`. DEFAULT_THRESHOLD by default. */
  threshold?: number;
  /** A score from here up to the threshold is `near`; below it nothing is reported. 0.75 by default. */
  near?: number;
  /** At most so many results, best first. All by default. */
  limit?: number;
}

/**
 * What the answer to a query rests on less than it should. The caller reports them as data gaps: an empty `hits` together with
 * `name_*` unmatchable flags never means that nobody was found.
 *
 * - `name_empty`: no letter and no digit in the name; only identifiers were compared.
 * - `name_only_organisation_form`: the name is nothing but "S.A.S.", "Corp"…; only equal names and identifiers were compared.
 * - `name_too_short`: a single letter, or nothing but particles; only equal names and identifiers were compared.
 * - `name_truncated`: only the first 64 words, and 40 characters of each, were compared.
 * - `birth_date_invalid`: not a day of the calendar; not compared.
 */
export type DataFlag =
  'name_empty' | 'name_only_organisation_form' | 'name_too_short' | 'name_truncated' | 'birth_date_invalid';

export interface MatchResult {
  /** Best first; equal scores by that of the name alone, in the order of the lists, by entry id. */
  hits: Hit[];
  data: DataFlag[];
}

/** One entry that the query may be. Plain JSON, the same bytes for the same query, entry and MATCHER_VERSION. */
export interface Hit {
  list: ListCode;
  entryId: string;
  kind: EntryKind;
  /** The entry's primary name. */
  name: string;
  /** The name of the entry that came closest to the query. */
  matchedName: string;
  matchedNameQuality: 'primary' | 'strong' | 'weak';
  /** 0 to 1, four decimals. 1 only with an identifier; at most 0.95 with nothing but names to compare. */
  score: number;
  verdict: 'hit' | 'near';
  programmes: string[];
  role: { title: string; until?: string } | null;
  evidence: Evidence;
  identifierMatched: boolean;
}

export interface Evidence {
  /** The names alone, before everything else; `tokens` in the order of the query, then what only the entry has. */
  name: { score: number; tokens: TokenEvidence[] };
  birth_date: { verdict: BirthDateVerdict; query: string | null; entry: string | null };
  country: { verdict: 'same' | 'different' | 'unknown'; query: string[]; entry: string[] };
  identifier: { verdict: 'same' | 'different' | 'unknown'; query: string | null; entry: string | null };
  /** The first rule, if any, that held the score down. */
  capped_by: CapReason | null;
}

/** `null` on a side that has no counterpart. */
export interface TokenEvidence {
  query: string | null;
  entry: string | null;
  similarity: number;
}

/**
 * `same_day`; `same_year`: the year agrees, or the entry's range or circa covers the day; `close`: one year apart, or day and month
 * swapped; `different`; `unknown`: nothing to compare.
 */
export type BirthDateVerdict = 'same_day' | 'same_year' | 'close' | 'different' | 'unknown';

export type CapReason =
  'names_only' | 'birth_date_differs' | 'kind_differs' | 'weak_alias' | 'short_romanised_name' | 'unmatchable_name';
