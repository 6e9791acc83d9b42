/**
 * Matching names against all of ../shared/lists: time per query, people on the lists found again, and invented people found by
 * mistake. The other side of the first row compares every name by its best edit distance, as one would write it at first. Times are
 * of the processor, which hold on a busy machine too, with those of the clock beside them.
 */
import { buildIndex, type ListCode, type ListEntry, ListIndex, ListSet } from '@constancia/name-screening';
import { damerau } from '../../libs/name-screening/src/tokens/damerau.ts';
import { nameForms } from '../../libs/name-screening/src/normalise/tokenise.ts';
import { readLists } from './lists-corpus.ts';
import { type BenchRow, percentile, report } from './measure.ts';
import { type Person, randomNumbers, syntheticPeople, withTypos } from './synthetic-people.ts';

const SAMPLE = 4_000;
const SYNTHETIC = 20_000;
/** Queries whose words were looked up before, as in a process that has run for some minutes. */
const ROUNDS = 2;

const [lists, readTime] = await timedAsync(readLists);
const count = (entries: readonly unknown[]) => entries.length;
const entities = [...lists.values()].map(count).reduce((a, b) => a + b, 0);

const [built, buildTime] = timed(() => [...lists].map(([list, entries]) => buildIndex(list, entries)));
const stored = built.map((index) => index.serialise());
const [loaded, loadTime] = timed(() => stored.map((bytes) => ListIndex.read(bytes)));
const set = new ListSet(loaded);
const names = loaded.reduce((sum, index) => sum + index.nameCount, 0);

const random = randomNumbers(7);
const listed = [...lists].flatMap(([list, entries]) =>
  entries.filter(({ kind }) => kind === 'person').map((entry) => ({ list, entry })),
);
const people = Array.from(
  { length: SAMPLE },
  () => listed[Math.floor(random() * listed.length)] as (typeof listed)[number],
);
const invented = [...syntheticPeople(SYNTHETIC)];

const rows: BenchRow[] = [...times(), ...found(), ...falseHits()];
rows.push(
  row(
    'Index of all lists, built, against the stored one loaded',
    spell(loadTime),
    spell(buildTime),
    buildTime.cpu / loadTime.cpu,
    '≥ 5',
  ),
  row(
    'All lists read from their files, and their indexes built',
    spell({ cpu: readTime.cpu + buildTime.cpu, wall: readTime.wall + buildTime.wall }),
    '–',
    null,
    '≤ 5 s',
  ),
);
report(rows);

/** Milliseconds: of the processor, whatever else it does, and of the clock. */
interface Time {
  cpu: number;
  wall: number;
}

function clock(): () => Time {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { cpu: (user + system) / 1000, wall: performance.now() - wall };
  };
}

function timed<T>(work: () => T): [T, Time] {
  const stop = clock();
  return [work(), stop()];
}

async function timedAsync<T>(work: () => Promise<T>): Promise<[T, Time]> {
  const stop = clock();
  return [await work(), stop()];
}

function spell({ cpu, wall }: Time): string {
  return `${span(cpu)} (clock ${span(wall)})`;
}

function span(ms: number): string {
  return ms < 1 ? `${(ms * 1000).toFixed(0)} µs` : ms < 1000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function row(name: string, ours: string, other = '–', ratio: number | null = null, goal = '–'): BenchRow {
  return { name, ours, other, ratio, goal };
}

/** Half of the queries are people on the lists, some of them with typing errors, half are invented. */
function times(): BenchRow[] {
  const queries = [
    ...people.map(({ entry }, nth) => withTypos(primary(entry), nth % 3, random)),
    ...invented.slice(0, SAMPLE).map(({ fullName }) => fullName),
  ];
  const [cold, ...warm] = Array.from({ length: ROUNDS + 1 }, () =>
    queries.map((fullName) => timed(() => set.match({ fullName }))[1]),
  );
  const least = (times: Time[]): Time => ({
    cpu: Math.min(...times.map(({ cpu }) => cpu)),
    wall: Math.min(...times.map(({ wall }) => wall)),
  });
  const best = queries.map((_, nth) => least(warm.map((round) => round[nth] as Time)));
  const at = (times: Time[], share: number): Time => ({
    cpu: percentile(
      times.map(({ cpu }) => cpu),
      share,
    ),
    wall: percentile(
      times.map(({ wall }) => wall),
      share,
    ),
  });
  const brute = bruteForce(queries.slice(0, 20));
  const worst = pathological().map(
    ([name, fullName]) => [name, least([0, 1, 2].map(() => timed(() => set.match({ fullName }))[1]))] as const,
  );
  worst.sort(([, a], [, b]) => b.cpu - a.cpu);
  const [worstName, worstTime] = worst[0] as (typeof worst)[number];
  const scale = `${entities.toLocaleString('en')} entities, ${names.toLocaleString('en')} names`;
  const all = 'comparing every name';
  const half = at(best, 0.5);
  return [
    row(`Match one name, ${scale}, p50`, spell(half), `${spell(brute)}, ${all}`, brute.cpu / half.cpu, '≤ 60 µs'),
    row(
      'Match one name, p99',
      spell(at(best, 0.99)),
      `${spell(at(cold as Time[], 0.99))}, words never seen before`,
      null,
      '≤ 2 ms',
    ),
    row('Match one name, words never seen before, p50', spell(at(cold as Time[], 0.5))),
    row(
      `Match one name, worst of 64 words and of 200 characters: ${worstName}`,
      spell(worstTime),
      '–',
      null,
      '≤ 20 ms',
    ),
  ];
}

/** Every name of every list by the bounded edit distance of the whole names: the mean time of a query. */
function bruteForce(queries: string[]): Time {
  const text = (name: string) =>
    nameForms(name, 'person')[0]
      ?.tokens.map((token) => token.text)
      .sort()
      .join('')
      .slice(0, 40) ?? '';
  const all = [...lists.values()].flat().flatMap((entry) => entry.names.map((name) => text(name.text)));
  const [, time] = timed(() => {
    for (const query of queries.map(text)) for (const name of all) damerau(query, name, 3);
  });
  return { cpu: time.cpu / queries.length, wall: time.wall / queries.length };
}

/** Names made to cost: 64 words that most names have, words of 200 characters, and both. */
function pathological(): [string, string][] {
  const counts = new Map<string, number>();
  for (const { entry } of listed)
    for (const word of primary(entry)
      .toLowerCase()
      .split(/[^a-z]+/))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([word]) => word)
    .filter((word) => word.length > 2);
  const words = frequent.slice(0, 64);
  return [
    ['frequent words', words.join(' ')],
    ['one frequent word', Array.from({ length: 64 }, () => words[0]).join(' ')],
    ['initials', Array.from({ length: 64 }, (_, nth) => 'abcdefghijklmnopqrstuvwxyz'[nth % 26]).join(' ')],
    ['words of 200 characters', words.map((word) => word.repeat(200).slice(0, 200)).join(' ')],
    ['frequent words with an error', words.map((word) => withTypos(word, 1, random)).join(' ')],
    ['10,000 characters', words.join('').repeat(100).slice(0, 10_000)],
  ];
}

function primary(entry: ListEntry): string {
  return entry.names[0]?.text ?? '';
}

function found(): BenchRow[] {
  const again = (list: ListCode, entry: ListEntry, fullName: string) =>
    set
      .match({ fullName, kind: 'natural' })
      .hits.some((hit) => hit.verdict === 'hit' && hit.list === list && hit.entryId === entry.id);
  const share = (change: (name: string, nth: number) => string | null): string => {
    const asked = people.flatMap(({ list, entry }, nth) => {
      const fullName = change(primary(entry), nth);
      return fullName === null ? [] : [{ list, entry, fullName }];
    });
    const hits = asked.filter(({ list, entry, fullName }) => again(list, entry, fullName));
    return `${((100 * hits.length) / asked.length).toFixed(2)} % of ${asked.length}`;
  };
  const shuffle = (name: string) => {
    const words = name.split(/[\s,]+/);
    return words
      .map((word) => ({ word, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ word }) => word)
      .join(' ');
  };
  return [
    row(
      'People on the lists found, exact name',
      share((name) => name),
      '–',
      null,
      '100 %',
    ),
    row('People on the lists found, words in another order', share(shuffle), '–', null, '100 %'),
    row(
      'People on the lists found, one or two typing errors in words of five letters or more',
      share(typed),
      '–',
      null,
      '≥ 99.5 %',
    ),
    row(
      'People on the lists found, two typing errors anywhere, words of two letters too',
      share((name) => withTypos(name, 2, random)),
    ),
  ];
}

/** One error in each of one or two words that are long enough for it not to make another name; null for names without any. */
function typed(name: string, nth: number): string | null {
  const words = name.split(/(\s+)/);
  const long = [...words.keys()].filter((at) => (words[at]?.match(/\p{L}/gu)?.length ?? 0) >= 5);
  if (long.length === 0) return null;
  for (let error = 0; error <= nth % 2 && long.length > 0; error++) {
    const [at] = long.splice(Math.floor(random() * long.length), 1) as [number];
    words[at] = withTypos(words[at] as string, 1, random);
  }
  return words.join('');
}

function falseHits(): BenchRow[] {
  const isHit = (query: Person | { fullName: string }) =>
    set.match({ ...query, kind: 'natural' }).hits[0]?.verdict === 'hit';
  const share = (hits: number) => `${((100 * hits) / SYNTHETIC).toFixed(3)} %`;
  const byName = invented.filter(({ fullName }) => isHit({ fullName }));
  return [
    row(
      `Hits of ${SYNTHETIC.toLocaleString('en')} invented people, name only`,
      share(byName.length),
      '–',
      null,
      '≤ 0.25 %',
    ),
    row('Hits of the same with a birth date', share(invented.filter(isHit).length), '–', null, '≤ 0.05 %'),
  ];
}
