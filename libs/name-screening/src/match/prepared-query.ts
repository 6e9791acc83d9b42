import { hash32 } from '../normalise/hash.ts';
import {
  formsOf,
  looksLikeOrganisation,
  type NameForm,
  type NameMode,
  readText,
  type TokenRole,
  wholeText,
} from '../normalise/tokenise.ts';
import {
  comparedName,
  type ComparedName,
  hasWord,
  type Join,
  joinsOf,
  MINOR_WEIGHT,
  totalWeight,
  weightOfSpan,
} from '../tokens/compared-name.ts';
import type { QueryBirth } from './evidence.ts';
import type { DataFlag, ScreeningQuery } from './screening-query.ts';
import { RecentMap } from '../tokens/recent-map.ts';
import { tokenKeys } from '../tokens/token-keys.ts';
import { traitsOf, type TokenTraits } from '../tokens/token-traits.ts';

/** A word of the query: its traits and the keys under which lists have it. */
export interface QueryWord {
  traits: TokenTraits;
  keys: readonly number[];
}

/** A word is summed once however often the query has it: a name that has it as often is in the postings as often. */
export interface DistinctWord {
  at: number;
  times: number;
  weight: number;
}

/** Neighbours written as one word, and the weight of all of them. */
export interface WeighedJoin extends Join {
  weight: number;
}

/** One form of the query's name, read in one mode, with what the search needs. */
export interface PreparedForm extends ComparedName {
  /** Per token; null for what is no word. */
  words: readonly (QueryWord | null)[];
  /** Each different word once: its first place, how often it stands there, and the weight of all of these. */
  distinct: readonly DistinctWord[];
  /** How many of the tokens are words. */
  wordCount: number;
  joins: readonly WeighedJoin[];
  total: number;
  /** Weight of all particles. */
  minor: number;
  wordless: boolean;
  /** Of a name without any word: the hash of all that it has. */
  whole: number;
}

export interface PreparedQuery {
  query: ScreeningQuery;
  birth: QueryBirth | null;
  forms: Record<NameMode, PreparedForm[]>;
  /** Some form is in East Asian script. */
  han: boolean;
  data: DataFlag[];
}

/** Words that came last, ready to be looked up; of nothing but the word, so that all lists share them. */
const cache = new RecentMap<QueryWord>(20_000);

export function wordOf(text: string): QueryWord {
  const cached = cache.get(text);
  if (cached) return cached;
  const traits = traitsOf(text);
  const word = { traits, keys: tokenKeys(traits) };
  cache.set(text, word);
  return word;
}

export function prepareQuery(query: ScreeningQuery): PreparedQuery {
  const text = typeof query.fullName === 'string' ? query.fullName : '';
  const read = readText(text);
  const person = formsOf(read, 'person');
  const organisation = formsOf(read, 'organisation');
  const legal = query.kind === 'legal' || (query.kind === undefined && looksLikeOrganisation(organisation));
  const unmatchable = unmatchableFlag(person, legal ? organisation : person);
  const forms = {
    // "Corp" as the name of a person would be compared with people called Corpi.
    person: unmatchable === 'name_only_organisation_form' ? [] : person.map((form) => prepareForm(form, 'person')),
    organisation: organisation.map((form) => prepareForm(form, 'organisation')),
  };
  const { birth, invalid } = birthOf(query);
  const data: DataFlag[] = [];
  // "Ltda. S.A." given as a person's name is compared with people, whom it cannot find: the caller has to know.
  const flag = unmatchable ?? (isOrganisationFormOnly(person, organisation) ? 'name_only_organisation_form' : null);
  if (flag) data.push(flag);
  if ([...person, ...organisation].some(({ truncated }) => truncated)) data.push('name_truncated');
  if (invalid) data.push('birth_date_invalid');
  return { query, birth, forms, han: person.some(({ script }) => script === 'han'), data };
}

function unmatchableFlag(person: NameForm[], read: NameForm[]): DataFlag | null {
  if (!person.some(({ tokens }) => tokens.length > 0)) return 'name_empty';
  if (read.some(({ tokens }) => hasWord(tokens))) return null;
  return read.some(({ tokens }) => tokens.some(({ role }) => role === 'form'))
    ? 'name_only_organisation_form'
    : 'name_too_short';
}

const isOrganisationFormOnly = (person: NameForm[], organisation: NameForm[]): boolean =>
  unmatchableFlag(person, organisation) === 'name_only_organisation_form';

function prepareForm(form: NameForm, mode: NameMode): PreparedForm {
  const known = form.tokens.map(({ text }) => wordOf(text));
  const name = comparedName(form, mode, (_, at) => (known[at] as QueryWord).traits);
  const wordless = !hasWord(form.tokens);
  const words = form.tokens.map(({ role }, at) => (role === 'word' ? (known[at] as QueryWord) : null));
  return {
    ...name,
    words,
    distinct: distinctWords(name, words),
    wordCount: words.filter((word) => word !== null).length,
    joins: joinsOf(form.tokens).map((join) => ({ ...join, weight: weightOfSpan(name, join) })),
    total: totalWeight(name.tokens),
    minor: minorWeight(form.tokens),
    wordless,
    whole: wordless ? hash32(wholeText(form)) : 0,
  };
}

/** Weight of all particles. */
export const minorWeight = (tokens: readonly { role: TokenRole }[]): number =>
  MINOR_WEIGHT * tokens.filter(({ role }) => role === 'minor').length;

function distinctWords({ tokens }: ComparedName, words: readonly (QueryWord | null)[]): DistinctWord[] {
  const distinct = new Map<QueryWord, DistinctWord>();
  for (const [at, word] of words.entries()) {
    if (!word) continue;
    const weight = tokens[at]?.weight ?? 0;
    const known = distinct.get(word);
    if (known) {
      known.times += 1;
      known.weight += weight;
    } else distinct.set(word, { at, times: 1, weight });
  }
  return [...distinct.values()];
}

function birthOf({ birthDate, birthYear }: ScreeningQuery): { birth: QueryBirth | null; invalid: boolean } {
  const invalid = birthDate !== undefined && !isDay(birthDate);
  if (birthDate !== undefined && !invalid)
    return { birth: { day: birthDate, year: Number(birthDate.slice(0, 4)) }, invalid };
  return { birth: Number.isInteger(birthYear) ? { day: null, year: birthYear as number } : null, invalid };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
