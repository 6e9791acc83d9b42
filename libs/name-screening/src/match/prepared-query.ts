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
  comparedToken,
  type ComparedName,
  type ComparedToken,
  hasWord,
  type Join,
  joinsOf,
  MINOR_WEIGHT,
  nameOf,
  totalWeight,
} from '../tokens/compared-name.ts';
import type { QueryBirth } from './evidence.ts';
import type { DataFlag, ScreeningQuery } from './screening-query.ts';
import { RecentMap } from '../recent-map.ts';
import { tokenKeys } from '../tokens/token-keys.ts';
import { traitsOf, type TokenTraits } from '../tokens/token-traits.ts';

/** A word of the query: its traits and the keys under which lists have it. */
export interface QueryWord {
  traits: TokenTraits;
  keys: readonly number[];
  /** As a word of a name that is read in a mode. */
  compared: Readonly<Record<NameMode, ComparedToken>>;
}

/** A word is summed once however often the query has it: a name that has it as often is in the postings as often. */
export interface DistinctWord {
  at: number;
  times: number;
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
  joins: readonly Join[];
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
const cache = new RecentMap<string, QueryWord>(20_000);

export function wordOf(text: string): QueryWord {
  const cached = cache.get(text);
  if (cached) return cached;
  const traits = traitsOf(text);
  const compared = {
    person: comparedToken(traits, 'word', 'person'),
    organisation: comparedToken(traits, 'word', 'organisation'),
  };
  const word = { traits, keys: tokenKeys(traits), compared };
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
    organisation: [] as PreparedForm[],
  };
  forms.organisation = organisation.map((form, nth) => prepareForm(form, 'organisation', forms.person[nth]));
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

/** `other`: the same name read in the other mode, in which it mostly has the same words. */
function prepareForm(form: NameForm, mode: NameMode, other?: PreparedForm): PreparedForm {
  const same = other && hasTokens(other, form.tokens) ? other : undefined;
  const words = same?.words ?? form.tokens.map(({ text, role }) => (role === 'word' ? wordOf(text) : null));
  const tokens = form.tokens.map(
    ({ text, role }, at) => words[at]?.compared[mode] ?? comparedToken(wordOf(text).traits, role, mode),
  );
  const wordless = !hasWord(form.tokens);
  const { script, abbreviations, shortRomanised } = nameOf(mode, form.script, tokens);
  return {
    mode,
    script,
    tokens,
    abbreviations,
    shortRomanised,
    words,
    distinct: distinctWords(tokens, words),
    wordCount: same?.wordCount ?? words.filter((word) => word !== null).length,
    joins: same && tokens.length < 3 ? same.joins : joinsOf(form.tokens, mode),
    total: totalWeight(tokens),
    minor: minorWeight(form.tokens),
    wordless,
    whole: wordless ? hash32(wholeText(form)) : 0,
  };
}

function hasTokens({ tokens }: PreparedForm, others: NameForm['tokens']): boolean {
  if (tokens.length !== others.length) return false;
  for (let at = 0; at < tokens.length; at++) {
    const [token, other] = [tokens[at] as ComparedToken, others[at] as NameForm['tokens'][number]];
    if (token.role !== other.role || token.traits.text !== other.text) return false;
  }
  return true;
}

/** Weight of all particles. */
export function minorWeight(tokens: readonly { role: TokenRole }[]): number {
  let count = 0;
  for (const { role } of tokens) if (role === 'minor') count += 1;
  return MINOR_WEIGHT * count;
}

function distinctWords(tokens: readonly ComparedToken[], words: readonly (QueryWord | null)[]): DistinctWord[] {
  const distinct: DistinctWord[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (!word) continue;
    const { weight } = tokens[at] as ComparedToken;
    const known = distinct.find((one) => words[one.at] === word);
    if (known) {
      known.times += 1;
      known.weight += weight;
    } else distinct.push({ at, times: 1, weight });
  }
  return distinct;
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
