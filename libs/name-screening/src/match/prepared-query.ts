import { hash32 } from '../normalise/hash.ts';
import { looksLikeOrganisation, nameForms, type NameMode } from '../normalise/tokenise.ts';
import {
  abbreviates,
  comparedName,
  type ComparedName,
  hasWord,
  type Join,
  joinsOf,
  MINOR_WEIGHT,
  totalWeight,
} from './compared-name.ts';
import type { QueryBirth } from './evidence.ts';
import type { DataFlag, ScreeningQuery } from './screening-query.ts';
import { tokenKeys } from './token-similarity.ts';
import { traitsOf, type TokenTraits } from './token-traits.ts';

/** A word of the query: its traits and the keys under which lists have it. */
export interface QueryWord {
  traits: TokenTraits;
  keys: readonly number[];
}

/** One form of the query's name, read in one mode, with what the search needs. */
export interface PreparedForm extends ComparedName {
  /** Per token; null for what is no word. */
  words: readonly (QueryWord | null)[];
  joins: readonly Join[];
  total: number;
  /** Weight of all particles and titles. */
  minor: number;
  /** Letters that may stand for a word. */
  initials: number;
  /** Hash of all the words, for names without any. */
  whole: number;
  wordless: boolean;
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
class WordCache {
  private readonly cache = new Map<string, QueryWord>();

  of(text: string): QueryWord {
    const cached = this.cache.get(text);
    if (cached) return cached;
    const traits = traitsOf(text);
    const word = { traits, keys: tokenKeys(traits) };
    this.cache.set(text, word);
    if (this.cache.size > 20_000) this.cache.delete(this.cache.keys().next().value as string);
    return word;
  }
}
const words = new WordCache();

export function prepareQuery(query: ScreeningQuery): PreparedQuery {
  const text = typeof query.fullName === 'string' ? query.fullName : '';
  const person = nameForms(text, 'person');
  const organisation = nameForms(text, 'organisation');
  const forms = {
    person: person.map((form) => prepareForm(form, 'person')),
    organisation: organisation.map((form) => prepareForm(form, 'organisation')),
  };
  const { birth, invalid } = birthOf(query);
  const data: DataFlag[] = [];
  const unmatchable = unmatchableFlag(text, query, forms);
  if (unmatchable) data.push(unmatchable);
  if ([...person, ...organisation].some(({ truncated }) => truncated)) data.push('name_truncated');
  if (invalid) data.push('birth_date_invalid');
  return { query, birth, forms, han: person.some(({ script }) => script === 'han'), data };
}

function unmatchableFlag(text: string, { kind }: ScreeningQuery, forms: PreparedQuery['forms']): DataFlag | null {
  if (!forms.person.some(({ tokens }) => tokens.length > 0)) return 'name_empty';
  const read =
    kind === 'legal' || (kind === undefined && looksLikeOrganisation(text)) ? forms.organisation : forms.person;
  if (read.some(({ tokens }) => hasWord(tokens))) return null;
  return read.some(({ tokens }) => tokens.some(({ role }) => role === 'form'))
    ? 'name_only_organisation_form'
    : 'name_too_short';
}

function prepareForm(form: ReturnType<typeof nameForms>[number], mode: NameMode): PreparedForm {
  const name = comparedName(form, mode, ({ text }) => words.of(text).traits);
  return {
    ...name,
    words: form.tokens.map(({ text, role }) => (role === 'word' ? words.of(text) : null)),
    joins: joinsOf(form.tokens),
    total: totalWeight(name.tokens),
    minor: MINOR_WEIGHT * form.tokens.filter(({ role }) => role === 'minor').length,
    initials: name.tokens.reduce((sum, token) => sum + abbreviates(token, mode), 0),
    whole: hash32(form.tokens.map(({ text }) => text).join(' ')),
    wordless: !hasWord(form.tokens),
  };
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
