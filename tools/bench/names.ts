/**
 * Whether two names are of one person or organization: pairs made of ../shared/lists, of many scripts, never the same for two seeds. The other
 * side compares words by Jaro and Winkler in the same Latin letters, with the threshold that is best for the very pairs it is measured on;
 * ours has the threshold of the product. Fails when a goal is missed.
 */
import { DEFAULT_THRESHOLD, type ListEntry } from '@constancia/name-screening';
import {
  comparableShare,
  type LabelledPair,
  labelledPairs,
} from '../../libs/name-screening/src/match/labelled-names.fixture.ts';
import {
  type Measured,
  measure,
  plainWords,
  scoreOf,
  wordsAlike,
} from '../../libs/name-screening/src/match/name-measures.fixture.ts';
import { readLists } from './lists-corpus.ts';
import { type BenchRow, median, report } from './measure.ts';
import { randomNumbers } from './synthetic-people.ts';

const SEEDS = [101, 102, 103];
/** Per kind, script and label. */
const MOST = 1_000;
const GOAL = { f1: 0.86, precision: 0.88 };

const lists = [...(await readLists()).values()].flatMap(sources);
const rounds = SEEDS.map((seed) => {
  const pairs = labelledPairs(lists, randomNumbers(seed), MOST);
  const scores = pairs.map(scoreOf);
  const others = pairs.map(({ a, b }) => wordsAlike(plainWords(a), plainWords(b)));
  return { pairs, scores, others, ours: measure(pairs, scores, DEFAULT_THRESHOLD), other: best(pairs, others) };
});
const missed = rounds.flatMap(({ pairs, scores }) =>
  pairs.filter(({ strong }, nth) => strong && (scores[nth] as number) < DEFAULT_THRESHOLD),
);
const strong = rounds.flatMap(({ pairs }) => pairs.filter((pair) => pair.strong)).length;
if (process.env.BENCH_SHOW) show();
report(rows());
for (const { ours } of rounds)
  if (ours.f1 < GOAL.f1 || ours.precision < GOAL.precision) throw new Error(`the goal is missed: ${spell(ours)}`);
if (missed.length > 0)
  throw new Error(`strong pairs are missed: ${missed.map(({ a, b }) => `${a} = ${b}`).join('; ')}`);

/** The files that entries of a list came from, each of which has its own ids. */
function sources(entries: ListEntry[]) {
  const files = new Map<string, ListEntry[]>();
  for (const entry of entries) {
    const file = entry.id.slice(0, entry.id.indexOf(':'));
    const own = files.get(file) ?? [];
    files.set(file, own);
    own.push(entry);
  }
  // The EU's acts have a row per designation: one organization under two acts is there twice.
  return [...files].map(([file, own]) => ({ entries: own, eachOnce: !file.startsWith('eu-journal') }));
}

function best(pairs: readonly LabelledPair[], scores: readonly number[]): Measured {
  const measured = Array.from({ length: 60 }, (_, nth) => measure(pairs, scores, 0.4 + nth / 100));
  return measured.reduce((a, b) => (b.f1 > a.f1 ? b : a));
}

function spell({ f1, precision, recall }: Measured): string {
  return `F1 ${f1.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
}

function middle(all: readonly Measured[]): Measured {
  return {
    f1: median(all.map(({ f1 }) => f1)),
    precision: median(all.map(({ precision }) => precision)),
    recall: median(all.map(({ recall }) => recall)),
  };
}

function rows(): BenchRow[] {
  const first = rounds[0] as (typeof rounds)[number];
  const [ours, other] = [middle(rounds.map((round) => round.ours)), middle(rounds.map((round) => round.other))];
  const same = first.pairs.filter((pair) => pair.same).length;
  return [
    {
      name: `Are two names of one? ${same.toLocaleString('en')} pairs that are, ${(first.pairs.length - same).toLocaleString('en')} alike that are not, median of ${SEEDS.length} seeds`,
      ours: spell(ours),
      other: `words by Jaro-Winkler: ${spell(other)}`,
      ratio: ours.f1 / other.f1,
      goal: `F1 ≥ ${GOAL.f1}, precision ≥ ${GOAL.precision}`,
    },
    ...strata().map(([name, picked]) => {
      const part = (scoresOf: (round: (typeof rounds)[number]) => Measured) => middle(rounds.map(scoresOf));
      const [mine, theirs] = [
        part(({ pairs, scores }) =>
          ofSome(pairs, scores, picked, (some, own) => measure(some, own, DEFAULT_THRESHOLD)),
        ),
        part(({ pairs, others }) => ofSome(pairs, others, picked, best)),
      ];
      const count = first.pairs.filter(picked).length;
      return { name: `Of these: ${name} (${count})`, ours: spell(mine), other: spell(theirs), ratio: mine.f1 / theirs.f1, goal: '–' }; // prettier-ignore
    }),
    { name: `Strong pairs missed, of ${strong.toLocaleString('en')}`, ours: `${missed.length}`, other: '–', ratio: null, goal: '0' }, // prettier-ignore
    {
      name: 'Names of one entry that have enough in common to be compared; the others are no pairs',
      ours: `${(100 * comparableShare(lists.flatMap(({ entries }) => entries))).toFixed(0)} %`,
      other: '–',
      ratio: null,
      goal: '–',
    },
  ];
}

function strata(): [name: string, (pair: LabelledPair) => boolean][] {
  const scripts = new Set(rounds.flatMap(({ pairs }) => pairs.map(({ script }) => script)));
  return [
    ['people', ({ kind }) => kind === 'person'],
    ['organizations', ({ kind }) => kind === 'organisation'],
    ...[...scripts].map((script): [string, (pair: LabelledPair) => boolean] => [
      script,
      (pair) => pair.script === script,
    ]),
  ];
}

function ofSome(
  pairs: readonly LabelledPair[],
  scores: readonly number[],
  picked: (pair: LabelledPair) => boolean,
  measured: (pairs: readonly LabelledPair[], scores: readonly number[]) => Measured,
): Measured {
  const places = [...pairs.keys()].filter((nth) => picked(pairs[nth] as LabelledPair));
  return measured(places.map((nth) => pairs[nth] as LabelledPair), places.map((nth) => scores[nth] as number)); // prettier-ignore
}

/** What was judged wrong, for developers of the matcher. */
function show(): void {
  const { pairs, scores } = rounds[0] as (typeof rounds)[number];
  for (const [nth, { kind, script, same, a, b }] of pairs.entries()) {
    const score = scores[nth] as number;
    if (score >= DEFAULT_THRESHOLD !== same) console.log(`WRONG ${same ? 'missed' : 'false'} ${kind} ${script} ${score.toFixed(3)} ${a} | ${b}`); // prettier-ignore
  }
}
