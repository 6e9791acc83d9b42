import type { DataFlag, Hit, MatchResult, ScreeningQuery } from '@constancia/name-screening';
import type { ListMatch, ListMatches, SubjectType } from '@constancia/rule-graph';

/** What names are matched against: a ListSet, pinned for one screening. */
export interface NameLists {
  match(query: ScreeningQuery, options?: { limit?: number }): MatchResult;
}

/** What is said of somebody that can be looked for on a list. */
export interface Person {
  full_name?: string;
  birth_date?: string;
  subject_age?: number;
  document_type?: string;
  document_number?: string;
  document_country?: string;
  country_code?: string;
}

/** What was found of one person or organization. */
export interface Found {
  hits: Hit[];
  nearMisses: Hit[];
  /** Why names could not be compared as they should; empty when they could. */
  flags: DataFlag[];
}

/** Matches beyond these are not reported: the best ones come first. */
const MOST_MATCHES = 50;
const COLOMBIAN_DOCUMENTS = new Set(['CE', 'PPT']);

/** Looks for somebody on the lists. Null: neither a name nor a document to look for. */
export function lookUp(lists: NameLists, person: Person, kind: SubjectType | undefined): Found | null {
  const fullName = person.full_name?.trim() ?? '';
  const number = person.document_number?.trim() ?? '';
  if (fullName === '' && number === '') return null;
  const { hits, data } = lists.match(queryOf({ ...person, full_name: fullName, document_number: number }, kind), {
    limit: MOST_MATCHES,
  });
  return {
    hits: hits.filter(({ verdict }) => verdict === 'hit'),
    nearMisses: hits.filter(({ verdict }) => verdict === 'near'),
    flags: fullName === '' ? [] : data.filter((flag) => flag.startsWith('name_')),
  };
}

function queryOf(person: Person & { full_name: string; document_number: string }, kind: SubjectType | undefined) {
  const country = person.country_code?.toUpperCase();
  const query: ScreeningQuery = { fullName: person.full_name };
  if (kind !== undefined) query.kind = kind;
  if (person.birth_date !== undefined) query.birthDate = person.birth_date;
  if (country !== undefined) query.countries = [country];
  if (person.document_number !== '') {
    const type = person.document_type?.trim().toUpperCase() ?? '';
    const issuer = COLOMBIAN_DOCUMENTS.has(type) ? 'CO' : (person.document_country?.toUpperCase() ?? country);
    query.documents = [{ type, number: person.document_number, ...(issuer !== undefined && { country: issuer }) }];
  }
  return query;
}

/** As the rules see it. */
export function matchesOf({ hits, nearMisses }: Pick<Found, 'hits' | 'nearMisses'>): ListMatches {
  return { hits: hits.map(matchOf), nearMisses: nearMisses.map(matchOf) };
}

function matchOf({ list, entryId, score, programmes }: Hit): ListMatch {
  return { list, entryId, score, programmes };
}
