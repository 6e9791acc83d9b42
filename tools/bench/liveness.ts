/**
 * Passive liveness and copies of the portrait over ../shared/faces: how often a genuine capture is suspected, how often an attack is, and what
 * it costs. Captures are drawn, not recorded (captures.fixture.ts). LIVENESS_EVERY=n takes every nth photo for the captures (default 3).
 */
import { CAPTURES, type CaptureName, capture } from '../../libs/face-matching/src/passive/captures.fixture.ts';
import { chipOf, judged, judgedCaptures, subjectOf } from '../../libs/face-matching/src/passive/measured-captures.fixture.ts'; // prettier-ignore
import { COPIES, COPY_THRESHOLDS, portraitCorrelation } from '../../libs/face-matching/src/passive/portrait-copies.fixture.ts'; // prettier-ignore
import { openEyes } from '../../libs/face-matching/src/open-engines.fixture.ts';
import { allPairs, hasFaces, photo } from '../../libs/face-matching/src/shared-faces.fixture.ts';
import { type BenchRow, percentile, report } from './measure.ts';

if (!hasFaces) throw new Error('../shared/faces is not here: nothing to measure.');

const every = Number(process.env.LIVENESS_EVERY ?? 3);
const pairs = allPairs();
const files = [...new Set(pairs.flatMap(({ one, other }) => [one, other]))];
const some = files.filter((_, nth) => nth % every === 0);
const eyes = await openEyes();
const rows = [...(await captures()), ...(await copies()), await time()];
report(rows);
process.exit(0); // the backend keeps the process alive

function row(name: string, ours: string, goal = '–'): BenchRow {
  return { name, ours, other: '–', ratio: null, goal };
}

async function captures(): Promise<BenchRow[]> {
  const names = Object.keys(CAPTURES) as CaptureName[];
  const all = await judgedCaptures(eyes, some, names);
  return names.map((name) => {
    const own = all.filter((each) => each.name === name);
    const count = (decision: string) => own.filter(({ verdict }) => verdict.decision === decision).length;
    const text = `${count('suspected')} of ${own.length} suspected, ${count('live')} live, ${count('undetermined')} undetermined`;
    const { genuine } = CAPTURES[name];
    return row(`Captures: ${name}`, text, genuine ? '0 suspected' : '0 live');
  });
}

async function copies(): Promise<BenchRow[]> {
  const chips = new Map<string, Uint8Array>();
  for (const file of files) {
    const chip = await chipOf(eyes, photo(file));
    if (chip) chips.set(file, chip);
  }
  const value = (one: string, other: string) =>
    portraitCorrelation(chips.get(one) as Uint8Array, chips.get(other) as Uint8Array);
  // img11_reflection is img11 in a mirror: a copy.
  const honest = pairs.filter(({ one, other }) => `${one}${other}` !== 'img11.jpgimg11_reflection.jpg');
  const [same, others] = [true, false].map((wanted) => honest.filter((pair) => pair.same === wanted).map(({ one, other }) => value(one, other))) as [number[], number[]]; // prettier-ignore
  const flagged = (values: number[]) =>
    `${values.filter((each) => each >= COPY_THRESHOLDS.copy).length} of ${values.length} rejected, ` +
    `${values.filter((each) => each >= COPY_THRESHOLDS.doubtful && each < COPY_THRESHOLDS.copy).length} to review; largest ${Math.max(...values)}`;
  const made: BenchRow[] = [];
  for (const [name, copy] of Object.entries(COPIES)) {
    const values: number[] = [];
    for (const file of files) {
      const chip = await chipOf(eyes, await copy(photo(file), eyes));
      values.push(chip ? portraitCorrelation(chips.get(file) as Uint8Array, chip) : 0);
    }
    const found = values.filter((each) => each >= COPY_THRESHOLDS.copy).length;
    made.push(row(`Copy of the portrait: ${name}`, `${found} of ${values.length} rejected; smallest ${Math.min(...values)}`, 'all')); // prettier-ignore
  }
  return [
    row('Another photo of the same person as portrait', flagged(same), '0 rejected'),
    row("Another person's photo as portrait", flagged(others), '0 rejected'),
    ...made,
  ];
}

async function time(): Promise<BenchRow> {
  const taken = await capture(await subjectOf(eyes, 'img1.jpg'), 'genuine, phone in the hand', 1);
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let round = 0; round < 40; round++) {
    const [before, from] = [process.cpuUsage(), performance.now()];
    await judged(taken);
    wall.push(performance.now() - from);
    const { user, system } = process.cpuUsage(before);
    cpu.push((user + system) / 1_000);
  }
  const ms = (values: number[], share: number) => `${percentile(values, share).toFixed(0)} ms`;
  return row('Judge five frames of 640 px, p50 and p95; processor time', `${ms(wall, 0.5)}, ${ms(wall, 0.95)}; ${ms(cpu, 0.5)}, ${ms(cpu, 0.95)}`, 'p95 ≤ 300 ms when idle'); // prettier-ignore
}
