import { isDay } from '@constancia/kernel';
import { documentProblem, isCountry, isCurrency } from '@constancia/reference-data';
import type { Facts, ListMatch, RelatedParty } from '../facts.ts';
import type { ConditionNode } from '../rule.ts';

/*
 * What each predicate asks, answered from the facts as plainly as it can be said. Shares nothing with the predicates but the
 * calendar and document checks of the kernel.
 */

export type Gap = { field: string; kind: 'missing' | 'invalid' | 'conflict' };
type Answer = boolean | Gap[];
type Value = never;
/** The conditions' values were accepted by the linter; here they are read without ceremony. */
interface Loose {
  min: number;
  max: number | string;
  lists?: string[];
  count: number;
  roles?: string[];
  min_ownership_percent?: number;
  field: string;
  equals: unknown;
  in: unknown[];
  decisions: string[];
  days: number;
}

const blank = (value: unknown) => value === undefined || value === null || (typeof value === 'string' && !value.trim());
const absent = (field: string): Gap[] => [{ field, kind: 'missing' }];
const wrong = (field: string): Gap[] => [{ field, kind: 'invalid' }];

/** A member: blank is missing, unreadable is invalid; else what `read` makes of it. */
function member<T>(facts: Facts, field: string, read: (raw: unknown) => T | undefined): { value: T } | Gap[] {
  const raw = (facts.payload as Record<string, unknown>)[field];
  if (blank(raw)) return absent(field);
  const value = read(raw);
  return value === undefined ? wrong(field) : { value };
}

const text = (raw: unknown) => (typeof raw === 'string' ? raw.trim() : undefined);
const codeIn = (known: (code: string) => boolean) => (raw: unknown) => {
  const code = text(raw)?.toUpperCase();
  return code !== undefined && known(code) ? code : undefined;
};
const country = (facts: Facts) => member(facts, 'country_code', codeIn(isCountry));
const wholeYears = (raw: unknown) =>
  typeof raw === 'number' && Number.isInteger(raw) && raw >= 0 && raw <= 150 ? raw : undefined;
const birthDate = (facts: Facts) =>
  member(facts, 'birth_date', (raw) =>
    typeof raw === 'string' && isDay(raw) && raw <= facts.screenedOn ? raw : undefined,
  );

function yearsSince(born: string, today: string): number {
  const [by, bm, bd] = born.split('-').map(Number) as [number, number, number];
  const [ty, tm, td] = today.split('-').map(Number) as [number, number, number];
  return ty - by - (tm < bm || (tm === bm && td < bd) ? 1 : 0);
}

function age(facts: Facts): { value: number } | Gap[] {
  const born = birthDate(facts);
  if ('value' in born) return { value: yearsSince(born.value, facts.screenedOn) };
  const declared = member(facts, 'subject_age', wholeYears);
  const neither = Array.isArray(declared) && declared[0]?.kind === 'missing';
  return neither && born[0]?.kind === 'invalid' ? born : declared;
}

/** What contradicts itself whatever is asked. */
export function contradictions(facts: Facts): Gap[] {
  const born = birthDate(facts);
  if (Array.isArray(born)) return born.filter(({ kind }) => kind === 'invalid');
  const declared = member(facts, 'subject_age', wholeYears);
  if (Array.isArray(declared)) return [];
  const apart = Math.abs(declared.value - yearsSince(born.value, facts.screenedOn));
  return apart > 1 ? [{ field: 'subject_age', kind: 'conflict' }] : [];
}

const known = <T>(read: { value: T } | Gap[], ask: (value: T) => boolean): Answer =>
  Array.isArray(read) ? read : ask(read.value);

/** Whether the subject is on a list; on that of FATF by its country. */
export function isHit(list: string, facts: Facts): boolean {
  if (facts.matches?.hits.some((hit) => hit.list === list)) return true;
  return list === 'FATF' && known(country(facts), (code) => Object.keys(facts.fatf).includes(code)) === true;
}

/** True when found; else unknown when a name, or a country for FATF, was wanted and not there. */
function found(facts: Facts, lists: readonly string[], yes: boolean): Answer {
  if (yes) return true;
  const gaps: Gap[] = [];
  if (lists.some((list) => list !== 'FATF')) gaps.push(...nameGap(facts));
  const where = country(facts);
  if (lists.includes('FATF') && Array.isArray(where)) gaps.push(...where);
  return gaps.length > 0 ? gaps : false;
}

function nameGap(facts: Facts): Gap[] {
  const name = member(facts, 'full_name', text);
  if (Array.isArray(name)) return name;
  return facts.matches === null ? absent('full_name') : [];
}

function scored(facts: Facts, value: Loose | number, upTo: (score: number) => boolean): Answer {
  const { min, lists = NAME_LISTS } = typeof value === 'number' ? { min: value } : value;
  const all: ListMatch[] = [...(facts.matches?.hits ?? []), ...(facts.matches?.nearMisses ?? [])];
  const yes = all.some((each) => lists.includes(each.list) && each.score >= min && upTo(each.score));
  return found(facts, ['a name'], yes);
}

const NAME_LISTS = ['OFAC', 'ONU', 'PEP', 'EU_SANCTIONS', 'INTERNAL'];
const MEMBERS: Record<string, string> = {
  legal_representative: 'legal_representative',
  beneficial_owner: 'beneficial_owners',
  related_party: 'related_parties',
};

function partyOnList(facts: Facts, value: string | string[] | Loose): Answer {
  const { lists, roles, min_ownership_percent } = (
    typeof value === 'string' ? { lists: [value] } : Array.isArray(value) ? { lists: value } : value
  ) as { lists: string[]; roles?: string[]; min_ownership_percent?: number };
  const asked = roles ?? Object.keys(MEMBERS);
  const parties = (facts.relatedParties ?? []).filter(({ role }) => asked.includes(role));
  if (parties.length === 0) return asked.flatMap((role) => absent(MEMBERS[role] as string));
  const listed = (party: RelatedParty) =>
    party.hits.some(({ list }) => lists.includes(list)) ||
    (lists.includes('FATF') && Object.keys(facts.fatf).includes(party.countryCode ?? '-'));
  return parties.some(
    (party) =>
      listed(party) && !(party.ownershipPercent !== undefined && party.ownershipPercent < (min_ownership_percent ?? 0)),
  );
}

function partyCountry(facts: Facts, codes: string[]): Answer {
  const parties = facts.relatedParties ?? [];
  if (parties.length === 0) return Object.values(MEMBERS).flatMap(absent);
  if (parties.some(({ countryCode }) => countryCode !== undefined && codes.includes(countryCode))) return true;
  const unknown = parties.filter(({ countryCode }) => countryCode === undefined);
  if (unknown.length === 0) return false;
  return unknown.flatMap(({ pointer }) => absent(`${pointer.slice(1).split('/').join('.')}.country_code`));
}

function at(facts: Facts, path: string): unknown {
  return path.split('.').reduce<unknown>((value, segment) => {
    if (Array.isArray(value)) return /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
    return value !== null && typeof value === 'object' && Object.keys(value).includes(segment)
      ? (value as Record<string, unknown>)[segment]
      : undefined;
  }, facts.payload);
}

const empty = (value: unknown) =>
  blank(value) || (typeof value === 'object' && Object.keys(value as object).length === 0);

function field(facts: Facts, path: string, expected: unknown[]): Answer {
  const value = at(facts, path);
  if (empty(value)) return absent(path);
  if (typeof value === 'object' || !expected.some((each) => typeof each === typeof value)) return wrong(path);
  return expected.includes(value);
}

function within(facts: Facts, days: number): (on: string) => boolean {
  const today = Date.parse(facts.screenedOn);
  return (on) => Date.parse(on) <= today && today - Date.parse(on) <= days * 86_400_000;
}

function activity(facts: Facts, codes: string[]): Answer {
  const raw = facts.payload.economic_activity;
  if (empty(raw)) return absent('economic_activity');
  const given = Array.isArray(raw) ? raw : [raw];
  if (given.some((code) => typeof code !== 'string' || !/^\d{2,4}$/.test(code.trim())))
    return wrong('economic_activity');
  return given.some((code) => codes.some((prefix) => (code as string).trim().startsWith(prefix)));
}

function documentFails(facts: Facts): Answer {
  const type = member(facts, 'document_type', text);
  const number = member(facts, 'document_number', text);
  if (Array.isArray(type) || Array.isArray(number))
    return [...(Array.isArray(type) ? type : []), ...(Array.isArray(number) ? number : [])];
  const kind = type.value.toUpperCase();
  if (!['CC', 'CE', 'TI', 'PA', 'PPT', 'NIT'].includes(kind)) return wrong('document_type');
  const issuer = empty(facts.payload.document_country)
    ? country(facts)
    : member(facts, 'document_country', codeIn(isCountry));
  if (Array.isArray(issuer) && !['CE', 'PPT'].includes(kind)) return issuer;
  return documentProblem(kind, Array.isArray(issuer) ? 'CO' : issuer.value, number.value) !== null;
}

/** Of the numbers that the random rules and facts use, those that are one NIT written in two ways. */
const NIT = ['900123456', '9001234568'];

function numberIn(facts: Facts, numbers: string[]): Answer {
  const plain = (number: string) => number.replace(/\D/g, '');
  const type = member(facts, 'document_type', text);
  const isNit = !Array.isArray(type) && type.value.toUpperCase() === 'NIT';
  return known(member(facts, 'document_number', text), (given) => {
    const same = isNit && NIT.includes(plain(given)) ? NIT : [plain(given)];
    return numbers.some((number) => same.includes(plain(number)) && /\d/.test(given));
  });
}

const QUESTIONS: Record<string, (facts: Facts, value: Value) => Answer> = {
  subject_age_gte: (facts, value: number) => known(age(facts), (years) => years >= value),
  subject_age_lt: (facts, value: number) => known(age(facts), (years) => years < value),
  subject_age_between: (facts, { min, max }: Loose) =>
    known(age(facts), (years) => years >= min && years <= Number(max)),
  birth_date_before: (facts, value: string) => known(birthDate(facts), (day) => Date.parse(day) < Date.parse(value)),
  birth_date_after: (facts, value: string) => known(birthDate(facts), (day) => Date.parse(day) > Date.parse(value)),
  country_in: (facts, value: string[]) => known(country(facts), (code) => value.includes(code)),
  country_not_in: (facts, value: string[]) => known(country(facts), (code) => !value.includes(code)),
  kyc_status_in: (facts, value: string[]) =>
    known(member(facts, 'kyc_status', text), (status) => value.includes(status.toLowerCase())),
  kyc_status_not_in: (facts, value: string[]) =>
    known(member(facts, 'kyc_status', text), (status) => !value.includes(status.toLowerCase())),
  subject_type_is: (facts, value: string) => facts.subjectType === value,
  document_type_in: (facts, value: string[]) =>
    known(member(facts, 'document_type', text), (type) => value.includes(type.toUpperCase())),
  document_number_in: numberIn,
  document_check_failed: documentFails,
  economic_activity_in: activity,
  amount_gte: (facts, value: number) => known(amountOf(facts), (given) => given >= value),
  amount_lt: (facts, value: number) => known(amountOf(facts), (given) => given < value),
  amount_between: (facts, { min, max }: Loose) =>
    known(amountOf(facts), (given) => given >= min && given <= Number(max)),
  currency_in: (facts, value: string[]) =>
    known(member(facts, 'currency', codeIn(isCurrency)), (code) => value.includes(code)),
  currency_not_in: (facts, value: string[]) =>
    known(member(facts, 'currency', codeIn(isCurrency)), (code) => !value.includes(code)),
  on_restrictive_list(facts, value: string | string[]) {
    const lists = [value].flat();
    return found(
      facts,
      lists,
      lists.some((list) => isHit(list, facts)),
    );
  },
  list_match_score_gte: (facts, value: Loose | number) => scored(facts, value, () => true),
  list_match_score_between: (facts, value: Loose) =>
    scored(facts, value, (score) => score < (value.max === 'hit_threshold' ? facts.hitThreshold : Number(value.max))),
  list_program_in: (facts, value: string[]) =>
    found(
      facts,
      ['a name'],
      facts.matches?.hits.flatMap(({ programmes }) => programmes).some((each) => value.includes(each.toUpperCase())) ??
        false,
    ),
  list_hit_count_gte(facts, value: Loose | number) {
    const { count, lists = [...NAME_LISTS, 'FATF'] } = typeof value === 'number' ? { count: value } : value;
    const named = facts.matches?.hits.filter(({ list }) => list !== 'FATF' && lists.includes(list)).length ?? 0;
    return found(facts, lists, named + (lists.includes('FATF') && isHit('FATF', facts) ? 1 : 0) >= count);
  },
  fatf_status_in: (facts, value: string[]) => known(country(facts), (code) => value.includes(facts.fatf[code] ?? '-')),
  related_party_on_list: partyOnList,
  related_party_country_in: partyCountry,
  field_present: (facts, path: string) => !empty(at(facts, path)),
  field_missing: (facts, path: string) => empty(at(facts, path)),
  field_equals: (facts, { field: path, equals }: Loose) => field(facts, path, [equals]),
  field_in: (facts, { field: path, in: values }: Loose) => field(facts, path, values),
  prior_decision_in: (facts, { decisions, days }: Loose) =>
    facts.history === null
      ? absent('subject_ref')
      : facts.history.decisions.some(({ decision, on }) => decisions.includes(decision) && within(facts, days)(on)),
  prior_screenings_gte: (facts, { count, days }: Loose) =>
    facts.history === null
      ? absent('subject_ref')
      : facts.history.screenings.filter(({ on }) => within(facts, days)(on)).length >= count,
  always: () => true,
};

function amountOf(facts: Facts): { value: number } | Gap[] {
  return member(facts, 'amount', (raw) => (typeof raw === 'number' && raw >= 0 ? raw : undefined));
}

/** True, false, or what is missing for an answer. */
export function answer(condition: ConditionNode, facts: Facts): Answer {
  return (QUESTIONS[condition.predicate] as (facts: Facts, value: unknown) => Answer)(facts, condition.value);
}
