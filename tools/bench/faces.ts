/**
 * The 300 labelled pairs of ../shared/faces, and every pair of its photos, at the shipped thresholds, and what a comparison of two faces costs. Of the time,
 * processor time is what the engine needs; time on the wall also counts what else the machine does.
 */
import { MeasuredPairs } from '../../libs/face-matching/src/measured-pairs.fixture.ts';
import { openEngines } from '../../libs/face-matching/src/open-engines.fixture.ts';
import { allPairs, hasFaces, labelledPairs, photo } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { type BenchRow, percentile, report } from './measure.ts';

const COMPARISONS = 40;
const DEADLINE = { deadlineMs: 60_000 };

if (!hasFaces) throw new Error('../shared/faces is not here: nothing to measure.');

const pairs = await MeasuredPairs.measure(allPairs());
const rows: BenchRow[] = [...accuracy(), ...(await times())];
report(rows);
process.exit(0); // the backend keeps the process alive

function row(name: string, ours: string, goal = '–'): BenchRow {
  return { name, ours, other: '–', ratio: null, goal };
}

type Counts = Record<string, number>;

function accuracy(): BenchRow[] {
  const [genuine, impostors] = [true, false].map((same) => pairs.outcomes(same, labelledPairs())) as [Counts, Counts];
  const [near, far] = [pairs.distances(true), pairs.distances(false)];
  const ratesText = (counts: Counts, total: number) =>
    `${counts['pass'] ?? 0} of ${total} pass, ${counts['review'] ?? 0} review, ${counts['reject'] ?? 0} reject`;
  return [
    row('Pairs of one person, shipped thresholds', ratesText(genuine, 38), '0 reject'),
    row('Pairs of two persons, shipped thresholds', ratesText(impostors, 262), '0 of 262 pass'),
    row('All pairs of one person', ratesText(pairs.outcomes(true), near.length), '0 reject'),
    row('All pairs of two persons', ratesText(pairs.outcomes(false), far.length), '0 pass'),
    row(
      'Largest distance of one person, smallest of two',
      `${Math.max(...near).toFixed(3)}, ${Math.min(...far).toFixed(3)}`,
    ),
  ];
}

async function times(): Promise<BenchRow[]> {
  const started = performance.now();
  const { faces, liveness } = await openEngines();
  const loadMs = performance.now() - started;
  const every = Math.floor(labelledPairs().length / COMPARISONS);
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (const { one, other } of labelledPairs().filter((_, nth) => nth % every === 0)) {
    const [reference, probe] = [photo(one), photo(other)];
    const [before, from] = [process.cpuUsage(), performance.now()];
    await faces.compare(reference, probe, DEADLINE);
    wall.push(performance.now() - from);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1_000);
  }
  const frames = ['img14.jpg', 'img13.jpg', 'img15.jpg', 'img13.jpg', 'img14.jpg'].map(photo);
  const challenge = { ...(await liveness.begin('active', 0)), poses: frames.map(() => 'center' as const) };
  const before = process.cpuUsage();
  const seen = frames.map((picture, nth) => ({ picture, receivedAt: 2_000 * (nth + 1) }));
  const passive = { policy: 'off' as const, frames: [] };
  await liveness.assess({ challenge, selfie: photo('img14.jpg'), frames: seen, portrait: null, passive }, DEADLINE);
  const active = process.cpuUsage(before);
  const ms = (values: number[], share: number) => `${percentile(values, share).toFixed(0)} ms`;
  return [
    row('Compare two faces, p50 and p95', `${ms(wall, 0.5)}, ${ms(wall, 0.95)}`, 'p95 ≤ 250 ms'),
    row('Compare two faces, processor time, p50 and p95', `${ms(cpu, 0.5)}, ${ms(cpu, 0.95)}`),
    row('Judge an active challenge of five frames, processor time', `${((active.user + active.system) / 1_000).toFixed(0)} ms`), // prettier-ignore
    row('Load the engine', `${loadMs.toFixed(0)} ms`),
    row('Memory of the process after all of this', `${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`),
  ];
}
