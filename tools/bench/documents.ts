/**
 * Documents that nobody owns, drawn, photographed badly and read back: how many exactly, how fast, and whether a wrong name was
 * ever called trusted. Everything is seeded: every run sees the same pictures.
 *
 *   npm run bench -- documents
 *   node tools/run.mjs tools/bench/documents.ts [variants of each kind, default 200] [cedulas or zones, default both]
 */
import { LocalDocumentReader } from '@constancia/document-reading';
import type { DocumentReading } from '@constancia/document-reading';
import { drawnCedula, drawnMrzDocument } from '../../libs/document-reading/src/rendered/variants.fixture.ts';
import type { DrawnDocument } from '../../libs/document-reading/src/rendered/variants.fixture.ts';
import { sameName } from '../../libs/document-reading/src/names.ts';
import { type BenchRow, percentile, report } from './measure.ts';

const VARIANTS = Number(process.argv[2] ?? 200);
const ONLY = process.argv[3];
const reader = new LocalDocumentReader();

interface Tally {
  exact: number;
  trusted: number;
  wrongTrusted: number;
  machineMs: number[];
  wholeMs: number[];
  cpuMs: number[];
  /** Trusted names by the face of the printed front. */
  faces: Map<string, [trusted: number, of: number]>;
}

async function tally(draw: (seed: number) => Promise<DrawnDocument>): Promise<Tally> {
  const result: Tally = {
    exact: 0,
    trusted: 0,
    wrongTrusted: 0,
    machineMs: [],
    wholeMs: [],
    cpuMs: [],
    faces: new Map(),
  };
  for (let seed = 0; seed < VARIANTS; seed++) {
    const drawn = await draw(seed);
    const { machine, expected, truth } = drawn;
    // Alone, the machine-readable side takes no time for the printed name: there is nothing else to look at.
    const cpu = process.cpuUsage();
    const alone = await reader.read({ front: machine, expected }, { deadlineMs: 8000 });
    const { user, system } = process.cpuUsage(cpu);
    const both = drawn.images.back !== undefined;
    const whole = both ? await reader.read({ ...drawn.images, expected }, { deadlineMs: 8000 }) : alone;
    result.machineMs.push(alone.tookMs);
    result.cpuMs.push((user + system) / 1000);
    result.wholeMs.push(whole.tookMs);
    if ((seed + 1) % 25 === 0) console.log(`${seed + 1} of ${VARIANTS}: ${result.exact} exact, ${result.trusted} trusted`); // prettier-ignore
    if (exact(whole, truth)) result.exact += 1;
    else console.log(`${seed}: ${whole.outcome} ${whole.reasons.join(' ')}`);
    const right = sameNames(whole, drawn.fullName);
    const face = result.faces.get(drawn.face) ?? [0, 0];
    result.faces.set(drawn.face, [face[0] + (whole.nameTrusted ? 1 : 0), face[1] + 1]);
    if (whole.nameTrusted) result.trusted += 1;
    if (whole.nameTrusted && !right) result.wrongTrusted += 1;
  }
  return result;
}

const sameNames = ({ fields }: DocumentReading, { surnames, givenNames }: DrawnDocument['fullName']): boolean =>
  sameName(fields.surnames?.value ?? '', surnames) && sameName(fields.given_names?.value ?? '', givenNames);

/** Every field letter by letter, and every check digit right: then every cell of every line is. */
const exact = (reading: DocumentReading, truth: DrawnDocument['truth']): boolean =>
  Object.entries(truth).every(([name, value]) => reading.fields[name as keyof typeof truth]?.value === value) &&
  Object.values(reading.checkDigits).every(Boolean);

function rows(what: string, goal: string, { exact: right, trusted, wrongTrusted, faces, ...times }: Tally): BenchRow[] {
  const p95 = (values: number[]) => `p95 ${Math.round(percentile(values, 0.95))} ms`;
  const p50 = `p50 ${Math.round(percentile(times.machineMs, 0.5))} ms`;
  const perFace = [...faces].map(([face, [some, all]]) => `${face} ${some}/${all}`).join(', ');
  return [
    {
      name: `${what}, ${VARIANTS} rendered variants`,
      ours: `${right} exact; ${p50}, ${p95(times.machineMs)} (CPU ${p95(times.cpuMs)})`,
      other: '–',
      ratio: null,
      goal,
    },
    {
      name: `${what}: names confirmed by the printed front, all pictures`,
      ours: `${trusted} trusted, ${wrongTrusted} of them wrong; ${p95(times.wholeMs)}; by face: ${perFace}`,
      other: '–',
      ratio: null,
      goal: '0 wrong',
    },
  ];
}

report([
  ...(ONLY === 'zones' ? [] : rows('PDF417 of the yellow cédula', '100 %, p95 ≤ 1 s', await tally(drawnCedula))),
  ...(ONLY === 'cedulas'
    ? []
    : rows('MRZ of digital cédula, CE, PPT and passport', '≥ 98 %, p95 ≤ 2 s', await tally(drawnMrzDocument))),
]);
