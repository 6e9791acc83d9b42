import { ALL_LIST_CODES } from '@constancia/reference-data';
import type { ListCode } from '@constancia/reference-data';
import { FATF_STATUSES } from '../facts.ts';
import type { FatfStatus } from '../facts.ts';
import { among, some } from './constraint.ts';
import { predicate } from './predicate.ts';
import { FATF_BIT, inMask, listMask } from './reading.ts';
import type { Outcome, Reading } from './reading.ts';
import * as type from './value-types.ts';

const lists = type.listOf(type.listCode);
const listOrLists = type.byShape({ list: lists, scalar: type.listCode });
const score = type.number(0, 1);
const asLists = (value: ListCode | readonly ListCode[]): readonly ListCode[] =>
  typeof value === 'string' ? [value] : value;
const NAME_LISTS = ALL_LIST_CODES.filter((list) => list !== 'FATF');

interface AtLeastScore {
  min: number;
  lists?: ListCode[];
}
interface ScoreRange {
  min: number;
  max: number | 'hit_threshold';
  lists?: ListCode[];
}
interface AtLeastHits {
  count: number;
  lists?: ListCode[];
}

/** No hit is no answer as long as the subject's name, or its country where FATF is asked, was not there to be looked up. */
function unlessUnknown(reading: Reading, mask: number): Outcome {
  const unnamed = (mask & ~FATF_BIT) !== 0 ? reading.nameGap : null;
  const nowhere = (mask & FATF_BIT) !== 0 && typeof reading.country !== 'string' ? reading.country : null;
  if (unnamed && nowhere) return [...unnamed, ...nowhere];
  return unnamed ?? nowhere ?? false;
}

const needsOf = (of: readonly ListCode[]) => ({ lists: [...of], fatf: of.includes('FATF') });

function scoreTest(mask: number, matchesScore: (score: number, reading: Reading) => boolean) {
  return (reading: Reading): Outcome => {
    const matches = reading.facts.matches;
    const fits = (match: { list: ListCode; score: number }) =>
      inMask(mask, match.list) && matchesScore(match.score, reading);
    if (matches && (matches.hits.some(fits) || matches.nearMisses.some(fits))) return true;
    return reading.nameGap ?? false;
  };
}

/** Conditions on what the lists hold about the subject itself. */
export const OF_LISTS = {
  on_restrictive_list: predicate<ListCode | ListCode[]>({
    title: { es: 'En alguna de las listas', en: 'On any of the lists' },
    value: listOrLists,
    example: ['OFAC', 'ONU'],
    reads: ['matches', 'full_name', 'country_code'],
    test(value) {
      const mask = listMask(asLists(value));
      return (reading) => (reading.hitMask & mask) !== 0 || unlessUnknown(reading, mask);
    },
    constraint: (value) => some('lists', asLists(value)),
    needs: (value) => needsOf(asLists(value)),
  }),
  list_match_score_gte: predicate<number | AtLeastScore>({
    title: { es: 'Alguna coincidencia con puntaje igual o mayor que', en: 'Some match with a score of at least' },
    value: type.byShape({
      scalar: score,
      object: type.object<AtLeastScore>({ min: score, lists }, ['min']),
    }),
    example: { min: 0.95, lists: ['PEP'] },
    reads: ['matches', 'full_name'],
    test(value) {
      const { min, lists: of = NAME_LISTS } = typeof value === 'number' ? { min: value } : value;
      return scoreTest(listMask(of), (given) => given >= min);
    },
    needs: (value) => needsOf((typeof value === 'object' && value.lists) || NAME_LISTS),
  }),
  list_match_score_between: predicate<ScoreRange>({
    title: {
      es: 'Alguna coincidencia con puntaje desde min y menor que max',
      en: 'Some match with a score from min to below max',
    },
    value: type.ordered(type.object<ScoreRange>({ min: score, max: scoreOrThreshold(), lists }, ['min', 'max'])),
    example: { min: 0.75, max: 'hit_threshold' },
    reads: ['matches', 'full_name'],
    test: ({ min, max, lists: of = NAME_LISTS }) =>
      scoreTest(
        listMask(of),
        (given, { facts }) => given >= min && given < (max === 'hit_threshold' ? facts.hitThreshold : max),
      ),
    needs: (value) => needsOf(value.lists ?? NAME_LISTS),
  }),
  list_program_in: predicate<string[]>({
    title: { es: 'Coincidencia de un programa de sanciones entre', en: 'Hit under a sanctions programme among' },
    value: type.listOf(type.text(/^[^\p{Cc}]{1,64}$/u, 'a programme of at most 64 characters', upperTrimmed)),
    example: ['SDGT', 'TERR'],
    reads: ['matches', 'full_name'],
    test(values) {
      const programmes = new Set(values);
      return (reading) => {
        const hits = reading.facts.matches?.hits ?? [];
        const found = hits.some((hit) => hit.programmes.some((each) => programmes.has(upperTrimmed(each))));
        return found || (reading.nameGap ?? false);
      };
    },
    needs: () => needsOf(NAME_LISTS),
  }),
  list_hit_count_gte: predicate<number | AtLeastHits>({
    title: { es: 'Número de coincidencias igual o mayor que', en: 'Number of hits at least' },
    value: type.byShape({
      scalar: type.integer(1, 1_000),
      object: type.object<AtLeastHits>({ count: type.integer(1, 1_000), lists }, ['count']),
    }),
    example: 2,
    reads: ['matches', 'full_name', 'country_code'],
    test(value) {
      const { count, lists: of = ALL_LIST_CODES } = typeof value === 'number' ? { count: value } : value;
      const mask = listMask(of);
      return (reading) => {
        const named = (reading.facts.matches?.hits ?? []).filter((hit) => inMask(mask & ~FATF_BIT, hit.list)).length;
        const byCountry = (reading.hitMask & mask & FATF_BIT) === 0 ? 0 : 1;
        return named + byCountry >= count || unlessUnknown(reading, mask);
      };
    },
    needs: (value) => needsOf((typeof value === 'object' && value.lists) || ALL_LIST_CODES),
  }),
  fatf_status_in: predicate<FatfStatus[]>({
    title: { es: 'Estado del país ante el GAFI entre', en: "FATF status of the subject's country among" },
    value: type.listOf(type.oneOf(FATF_STATUSES)),
    example: ['call_for_action'],
    reads: ['fatf', 'country_code'],
    test: (values) => (reading) => {
      if (typeof reading.country !== 'string') return reading.country;
      const status = reading.fatfStatus(reading.country);
      return status !== undefined && values.includes(status);
    },
    constraint: (values) => among('fatf_status', values),
    needs: () => ({ fatf: true }),
  }),
};

function scoreOrThreshold(): type.ValueType<number | 'hit_threshold'> {
  return {
    schema: { anyOf: [score.schema, { const: 'hit_threshold' }] },
    parse: (raw, problems, at) => (raw === 'hit_threshold' ? raw : score.parse(raw, problems, at)),
  };
}

function upperTrimmed(programme: string): string {
  return programme.trim().toUpperCase();
}
