import { daysBefore } from '@constancia/kernel/calendar';
import type { Json } from '@constancia/kernel/json';
import type { ListCode } from '@constancia/reference-data';
import { PARTY_MEMBERS, PARTY_ROLES } from '../facts.ts';
import type { PartyRole, RelatedParty } from '../facts.ts';
import { DECISIONS } from '../rule.ts';
import type { Decision } from '../rule.ts';
import { among } from './constraint.ts';
import { isGiven, payloadPath, payloadReader } from './payload-path.ts';
import { predicate } from './predicate.ts';
import { FATF_BIT, gap, listMask, maskOfMatches } from './reading.ts';
import type { Gaps, Outcome, Reading } from './reading.ts';
import * as type from './value-types.ts';

const lists = type.listOf(type.listCode);
const roles = type.listOf(type.oneOf(PARTY_ROLES));
const days = type.integer(1, 3_650);
const scalar: type.ValueType<string | number | boolean> = {
  schema: { type: ['string', 'number', 'boolean'] },
  parse(raw, problems, at = '') {
    const isScalar = typeof raw === 'boolean' || typeof raw === 'string' || Number.isFinite(raw);
    if (!isScalar) problems.push({ at, code: 'bad_value_type', detail: 'Give a text, a number, true or false.' });
    return raw as string;
  },
};

interface PartyLists {
  lists: ListCode[];
  roles?: PartyRole[];
  min_ownership_percent?: number;
}

/** Gaps for the members that would have named parties of these roles. */
const unnamed = (of: readonly PartyRole[]): Gaps => of.flatMap((role) => gap(PARTY_MEMBERS[role], 'missing'));

const partiesOf = (reading: Reading, of: readonly PartyRole[]): readonly RelatedParty[] =>
  (reading.facts.relatedParties ?? []).filter((party) => of.includes(party.role));

function partyOnList({ lists: of, roles: asked = [...PARTY_ROLES], min_ownership_percent: least = 0 }: PartyLists) {
  const mask = listMask(of);
  const nobody = unnamed(asked);
  // A declared owner of unknown share counts: beneficial owners are declared from 5 % on.
  const owns = (party: RelatedParty) => (party.ownershipPercent ?? 100) >= least;
  const isListed = (reading: Reading, party: RelatedParty) => {
    if ((maskOfMatches(party.hits) & mask) !== 0) return true;
    const country = party.countryCode;
    return (mask & FATF_BIT) !== 0 && country !== undefined && reading.fatfStatus(country) !== undefined;
  };
  return (reading: Reading): Outcome => {
    const parties = partiesOf(reading, asked);
    if (parties.length === 0) return nobody;
    return parties.some((party) => owns(party) && isListed(reading, party));
  };
}

const asPartyLists = (value: ListCode | ListCode[] | PartyLists): PartyLists => {
  if (typeof value === 'string') return { lists: [value] };
  return Array.isArray(value) ? { lists: value } : value;
};

/** The path of a party's member in the payload. */
const memberOf = (party: RelatedParty, member: string) =>
  `${party.pointer.replace(/^\//, '').replaceAll('/', '.')}.${member}`;

function fieldTest(path: string, expected: readonly (string | number | boolean)[]) {
  const read = payloadReader(path);
  const kinds = new Set(expected.map((each) => typeof each));
  const [missing, invalid] = [gap(path, 'missing'), gap(path, 'invalid')];
  return (reading: Reading): Outcome => {
    const value = read(reading.payload);
    if (!isGiven(value)) return missing;
    // A number is not compared with a text: such a condition would be false for ever, and nobody would see it.
    if (typeof value === 'object' || !kinds.has(typeof value)) return invalid;
    return expected.includes(value);
  };
}

const presence = (path: string, expected: boolean) => {
  const read = payloadReader(path);
  return (reading: Reading) => isGiven(read(reading.payload) as Json | undefined) === expected;
};

const UNKNOWN_SUBJECT = gap('subject_ref', 'missing');
const inWindow = (on: string, from: string, to: string) => on >= from && on <= to;

/** Conditions on who stands behind the subject, on its past, and on any other member of the payload. */
export const OF_CONTEXT = {
  related_party_on_list: predicate<ListCode | ListCode[] | PartyLists>({
    title: { es: 'Parte relacionada en alguna de las listas', en: 'Related party on any of the lists' },
    value: type.byShape({
      scalar: type.listCode,
      list: lists,
      object: type.object<PartyLists>({ lists, roles, min_ownership_percent: type.number(0, 100) }, ['lists']),
    }),
    example: { lists: ['PEP'], roles: ['legal_representative', 'beneficial_owner'], min_ownership_percent: 5 },
    reads: ['related_parties', 'fatf'],
    test: (value) => partyOnList(asPartyLists(value)),
    needs: (value) => ({ relatedLists: asPartyLists(value).lists, fatf: asPartyLists(value).lists.includes('FATF') }),
  }),
  related_party_country_in: predicate<string[]>({
    title: { es: 'Parte relacionada de un país entre', en: 'Related party of a country among' },
    value: type.listOf(type.country),
    example: ['KP', 'IR'],
    reads: ['related_parties'],
    test(values) {
      const countries = new Set(values);
      const nobody = unnamed(PARTY_ROLES);
      return (reading) => {
        const parties = partiesOf(reading, PARTY_ROLES);
        if (parties.length === 0) return nobody;
        if (parties.some((party) => countries.has(party.countryCode ?? ''))) return true;
        const unknown = parties.filter((party) => party.countryCode === undefined);
        return unknown.length === 0
          ? false
          : unknown.flatMap((party) => gap(memberOf(party, 'country_code'), 'missing'));
      };
    },
  }),
  field_present: predicate<string>({
    title: { es: 'Campo presente', en: 'Field present' },
    value: payloadPath,
    example: 'source_of_funds',
    reads: ['payload'],
    test: (path) => presence(path, true),
    constraint: (path) => among(`presence of ${path}`, ['present']),
  }),
  field_missing: predicate<string>({
    title: { es: 'Campo ausente o vacío', en: 'Field absent or empty' },
    value: payloadPath,
    example: 'beneficial_owners',
    reads: ['payload'],
    test: (path) => presence(path, false),
    constraint: (path) => among(`presence of ${path}`, ['present'], true),
  }),
  field_equals: predicate<{ field: string; equals: string | number | boolean }>({
    title: { es: 'Campo igual a', en: 'Field equal to' },
    value: type.object<{ field: string; equals: string | number | boolean }>({ field: payloadPath, equals: scalar }, [
      'field',
      'equals',
    ]),
    example: { field: 'channel', equals: 'cash' },
    reads: ['payload'],
    test: ({ field, equals }) => fieldTest(field, [equals]),
    constraint: ({ field, equals }) => among(`value of ${field}`, [JSON.stringify(equals)]),
  }),
  field_in: predicate<{ field: string; in: (string | number | boolean)[] }>({
    title: { es: 'Campo entre', en: 'Field among' },
    value: type.object<{ field: string; in: (string | number | boolean)[] }>(
      { field: payloadPath, in: type.listOf(scalar) },
      ['field', 'in'],
    ),
    example: { field: 'product', in: ['crypto', 'remittance'] },
    reads: ['payload'],
    test: ({ field, in: values }) => fieldTest(field, values),
    constraint: ({ field, in: values }) =>
      among(
        `value of ${field}`,
        values.map((each) => JSON.stringify(each)),
      ),
  }),
  prior_decision_in: predicate<{ decisions: Decision[]; days: number }>({
    title: {
      es: 'Decisión anterior sobre el sujeto en los últimos días',
      en: 'Earlier decision on the subject within days',
    },
    value: type.object<{ decisions: Decision[]; days: number }>(
      { decisions: type.listOf(type.oneOf(DECISIONS)), days },
      ['decisions', 'days'],
    ),
    example: { decisions: ['reject'], days: 365 },
    reads: ['history'],
    test:
      ({ decisions, days: back }) =>
      ({ facts }) => {
        if (!facts.history) return UNKNOWN_SUBJECT;
        const from = daysBefore(facts.screenedOn, back);
        return facts.history.decisions.some(
          ({ decision, on }) => decisions.includes(decision) && inWindow(on, from, facts.screenedOn),
        );
      },
    needs: (value) => ({ decisionDays: value.days }),
  }),
  prior_screenings_gte: predicate<{ count: number; days: number }>({
    title: {
      es: 'Consultas anteriores del sujeto en los últimos días, al menos',
      en: 'Earlier screenings of the subject within days, at least',
    },
    value: type.object<{ count: number; days: number }>({ count: type.integer(1, 10_000), days }, ['count', 'days']),
    example: { count: 5, days: 7 },
    reads: ['history'],
    test:
      ({ count, days: back }) =>
      ({ facts }) => {
        if (!facts.history) return UNKNOWN_SUBJECT;
        const from = daysBefore(facts.screenedOn, back);
        return facts.history.screenings.filter(({ on }) => inWindow(on, from, facts.screenedOn)).length >= count;
      },
    needs: (value) => ({ screeningDays: value.days }),
  }),
  always: predicate<true>({
    title: { es: 'Siempre', en: 'Always' },
    value: type.noValue,
    example: true,
    reads: [],
    test: () => () => true,
    constraint: () => among('always', ['true']),
  }),
};
