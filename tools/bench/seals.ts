/**
 * Seals per second and core, where their time goes, and how long 100 requests at once take from their acceptance to their
 * signature, and 50 envelopes from their last signature to their seal. Everything is real: Postgres with durable commits, hints over
 * the queue, a KMS in a process of its own, files that are synced. The other side is pdf-lib and SHA-256 alone, in one loop.
 */
import { createHash } from 'node:crypto';
import { PdfPool, type Placeholder } from '@constancia/pdf-sealing';
import { Metrics } from '@constancia/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { cpuSeconds, perCpuSecond } from './cpu-time.ts';
import { compare, median, percentile, report } from './measure.ts';
import { SealingLoad } from './sealing-load.ts';
import { SealingStack } from './sealing-stack.ts';

const FIELDS = 10;
const REQUESTS = 300;
const AT_ONCE = 100;
const ENVELOPES_AT_ONCE = 50;
const ROUNDS = 3;

const placeholders: Placeholder[] = Array.from({ length: FIELDS }, (_, nth) => ({
  key: `field_${nth}`,
  page: 1,
  x: 72,
  y: 700 - nth * 40,
  size: 11,
}));
const values = Object.fromEntries(placeholders.map(({ key }, nth) => [key, `María Ñáñez Güiza ${nth}`]));

/** One page of text and an image's worth of bytes that do not compress: 48 KB. */
async function template(): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([595, 842]);
  for (let line = 0; line < 50; line++)
    page.drawText(`${line}. ${'Contrato de prestación de servicios. '.repeat(2)}`, {
      x: 40,
      y: 800 - line * 15,
      size: 9,
      font,
    });
  await document.attach(createHash('shake256', { outputLength: 46_000 }).update('48 KB').digest(), 'filling.bin');
  return Buffer.from(await document.save());
}

async function withPdfLib(pdf: Buffer): Promise<void> {
  const document = await PDFDocument.load(pdf);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const { key, x, y, size } of placeholders)
    document.getPage(0).drawText(values[key] as string, { x, y, size, font });
  createHash('sha256')
    .update(await document.save())
    .digest();
}

async function stageSeconds(worker: INestApplicationContext): Promise<Record<string, number>> {
  const text = await worker.get(Metrics).text();
  return Object.fromEntries(
    [...text.matchAll(/seal_stage_seconds_sum\{.*?stage="(\w+)".*?\} ([\d.e-]+)/g)].map(([, stage, sum]) => [
      stage,
      Number(sum),
    ]),
  );
}

const p99 = (seconds: number[]) => percentile(seconds, 0.99);

const stack = await SealingStack.start();
const pdf = await template();
const load = await SealingLoad.of(stack, pdf, placeholders, values);
const kms = await stack.kms();
const worker = await stack.worker(kms);
await load.seal(50);

const perCore: number[] = [];
const perSecondAll: number[] = [];
const cpuMs: number[] = [];
const before = await stageSeconds(worker);
for (let round = 0; round < ROUNDS; round++) {
  const [startedAt, cpu] = [performance.now(), cpuSeconds()];
  await load.seal(REQUESTS);
  perSecondAll.push(REQUESTS / ((performance.now() - startedAt) / 1_000));
  const spent = cpuSeconds() - cpu;
  perCore.push(REQUESTS / spent);
  cpuMs.push((spent * 1_000) / REQUESTS);
}
const after = await stageSeconds(worker);

const late: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  late.push(p99(await load.seal(AT_ONCE)));
}
const lateEnvelopes: number[] = [];
for (let round = 0; round < ROUNDS; round++) lateEnvelopes.push(p99(await load.sealEnvelopes(ENVELOPES_AT_ONCE)));
await worker.close();
kms.stop();

/** Within a budget of KMS calls, two for each document, that KMS enforces and counts itself. */
const LIMIT = 200;
const strictKms = await stack.kms(LIMIT);
const limited = await stack.worker(strictKms, { kmsMaxPerSecond: LIMIT });
await load.seal(50);
const limitedPerSecond: number[] = [];
const limitedCpuMs: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const [startedAt, cpu] = [performance.now(), cpuSeconds()];
  await load.seal(2 * REQUESTS);
  limitedPerSecond.push((2 * REQUESTS) / ((performance.now() - startedAt) / 1_000));
  limitedCpuMs.push(((cpuSeconds() - cpu) * 1_000) / (2 * REQUESTS));
}
const atKms = await strictKms.counts();
strictKms.stop();
await limited.close();
await stack.close();

/** What one document costs in the child, one after the other, beside the plain library. */
const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
await pool.start();
const {
  ours: fills,
  other: plain,
  ratio: fillRatio,
} = await compare(
  2 * ROUNDS,
  () => perCpuSecond(() => pool.fill(pdf, placeholders, values)),
  () => perCpuSecond(() => withPdfLib(pdf)),
);
await pool.close();

const spent = Object.fromEntries(Object.entries(after).map(([stage, sum]) => [stage, sum - (before[stage] ?? 0)]));
const total = Object.values(spent).reduce((sum, each) => sum + each, 0);
const share = (stage: string) => `${Math.round(((spent[stage] ?? 0) / total) * 100)} %`;
report([
  {
    name: `Seals per second and core (48 KB, ${FIELDS} fields), against pdf-lib and SHA-256 alone`,
    ours: `${median(perCore).toFixed(0)}/s per core, ${median(perSecondAll).toFixed(0)}/s in all`,
    other: `${plain.toFixed(0)}/s`,
    ratio: median(perCore) / plain,
    goal: '–',
  },
  {
    name: 'Documents drawn per second of CPU by a child process, against pdf-lib in the process itself',
    ours: `${fills.toFixed(0)}/s`,
    other: `${plain.toFixed(0)}/s`,
    ratio: fillRatio,
    goal: '–',
  },
  {
    name: `Sealing worker with KMS limited to ${LIMIT} signatures per second, of which a document takes two`,
    ours: `${median(limitedPerSecond).toFixed(0)}/s; ${atKms.most_in_one_second} signatures in the busiest second, ${atKms.throttled} refused`,
    other: `${LIMIT / 2}/s at most`,
    ratio: median(limitedPerSecond) / (LIMIT / 2),
    goal: `≥ 90/s, ≤ ${LIMIT}, 0`,
  },
  {
    name: 'CPU of one seal in the whole worker: claim, drawing, two signatures by the KMS client, storage, events (48 KB)',
    ours: `${median(cpuMs).toFixed(1)} ms; with KMS limited ${median(limitedCpuMs).toFixed(1)} ms`,
    other: '–',
    ratio: null,
    goal: '–',
  },
  {
    name: 'Where the time of a seal goes, waits included',
    ours: `drawing ${share('draw')}, KMS (two signatures) ${share('sign')}, storage ${share('store')}, Postgres ${share('complete')}, template ${share('template')}`,
    other: '–',
    ratio: null,
    goal: '–',
  },
  {
    name: `Created → signed, ${AT_ONCE} requests at once, p99`,
    ours: `${median(late).toFixed(2)} s`,
    other: '–',
    ratio: null,
    goal: '< 5 s',
  },
  {
    name: `Last signature → sealed, ${ENVELOPES_AT_ONCE} envelopes of three signers at once, with their certificates, p99`,
    ours: `${median(lateEnvelopes).toFixed(2)} s`,
    other: '–',
    ratio: null,
    goal: '< 5 s',
  },
]);
