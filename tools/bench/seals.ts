/**
 * Seals per second and core, where their time goes, and how long 100 requests at once take from their acceptance to their
 * signature. Everything is real: Postgres with durable commits, hints over the queue, a KMS in a process of its own, files that
 * are synced. The other side is pdf-lib and SHA-256 alone, in one loop.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { PdfPool, type Placeholder } from '@constancia/pdf-sealing';
import { urlFor } from '@constancia/persistence';
import { migrateQueue, Queues } from '@constancia/queue';
import { FilesystemStore } from '@constancia/storage';
import { createLogger, type RunningWorker } from '@constancia/telemetry';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import pg from 'pg';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { startSealingWorker } from '../../apps/sealing-worker/src/app.ts';
import { SealingConfig } from '../../apps/sealing-worker/src/config.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import { freePort, prepareDatabase, startCluster, TEST_PASSWORD } from '../../libs/testing/src/cluster.ts';
import { compare, median, report } from './measure.ts';

const FIELDS = 10;
const REQUESTS = 300;
const AT_ONCE = 100;
const ROUNDS = 3;
const KEY = Buffer.alloc(32, 3).toString('base64');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-seals-'));

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

/** A KMS in a process of its own; with a rate, it throttles what comes above it. */
async function startKms(rate?: number) {
  const port = await freePort();
  const dir = path.join(folder, 'kms');
  const limits = rate === undefined ? [] : ['--rate', String(rate)];
  const child = spawn(process.execPath, ['tools/local/dev-kms.mjs', '--dir', dir, '--port', String(port), ...limits], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    /** What it counted itself. */
    counts: async () =>
      (await (await fetch(`${url}/__health`)).json()) as { throttled: number; most_in_one_second: number },
    stop: () => child.kill(),
  };
}

const kms = await startKms();
process.env.AWS_ACCESS_KEY_ID = 'development';
process.env.AWS_SECRET_ACCESS_KEY = 'development';

const cluster = await startCluster({ durable: true });
await prepareDatabase(cluster.adminUrl, [PLATFORM, SIGNING], migrateQueue);
const admin = new pg.Pool({ connectionString: cluster.adminUrl, max: 4 });
const queueUrl = urlFor(cluster.adminUrl, 'queue_app', TEST_PASSWORD);
const objects = new FilesystemStore({ dir: path.join(folder, 'objects') });
const config = Object.assign(new SealingConfig(), {
  environment: 'sandbox',
  drainSeconds: 25,
  databaseUrl: urlFor(cluster.adminUrl, 'signing_app', TEST_PASSWORD),
  databasePoolSize: 10,
  queueDatabaseUrl: queueUrl,
  queueSealingKey: KEY,
  storageDir: path.join(folder, 'objects'),
  awsRegion: 'us-east-1',
  signUrl: 'https://sign.example',
  kmsKeyId: 'alias/constancia-signing',
  kmsEndpoint: kms.url,
  kmsMaxPerSecond: 10_000,
  certificateSubject: 'CN=Constancia, O=Constancia, C=CO',
  processes: 2,
  memoryMb: 512,
  deadlineMs: 8_000,
  giveUpSeconds: 900,
  templateCacheMb: 64,
  documentsMb: 256,
} satisfies Partial<SealingConfig>);
const signing = new Queues({
  app: 'signing',
  databaseUrl: queueUrl,
  sealingKey: SecretBox.fromText(KEY),
  logger: createLogger({ app: 'signing', level: 'silent' }),
});

const pdf = await template();
const tenantId = uuidv7();
const templateId = uuidv7();
const sha256 = createHash('sha256').update(pdf).digest();
const templateKey = `templates/${tenantId}/${sha256.toString('hex')}.pdf`;
await objects.put(templateKey, pdf, { contentType: 'application/pdf' });
await admin.query(
  `insert into platform.tenant (id, slug, display_name, owner_email, plan, environment, webhook_secret)
   values ($1, 'bench', 'Bench', 'bench@constancia.example', 'sandbox', 'sandbox', '\\x00')`,
  [tenantId],
);
await admin.query(
  `insert into signing.template (id, tenant_id, code, name, sha256, size_bytes, storage_key, page_count, placeholders)
   values ($1, $2, 'bench', 'bench', $3, $4, $5, 1, $6)`,
  [templateId, tenantId, sha256, pdf.length, templateKey, JSON.stringify(placeholders)],
);

/** Accepts requests in one statement, so that they stand there at once, and hints each. */
async function accept(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  await admin.query(
    `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, merge_data, credits_debited)
     select id, $2, $3, 'bench', $4, 40 from unnest($1::uuid[]) as id`,
    [ids, tenantId, templateId, JSON.stringify(values)],
  );
  for (const id of ids) signing.hint('sealing', { v: 1, request_id: id }, id);
  return ids;
}

/** Waits until all are signed; answers the seconds from acceptance to signature, ascending. Asks seldom: it shares the machine. */
async function latencies(ids: string[]): Promise<number[]> {
  for (;;) {
    const { rows } = await admin.query<{ left: number; most_attempts: number }>(
      `select count(*)::int as left, coalesce(max(attempts), 0) as most_attempts
         from signing.signature_request where status = 'pending'`,
    );
    if ((rows[0]?.most_attempts ?? 0) > 1) throw new Error('a request was tried twice: this machine is too slow');
    if (rows[0]?.left === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const { rows } = await admin.query<{ seconds: number }>(
    `select extract(epoch from signed_at - created_at)::float as seconds
       from signing.signature_request where id = any ($1) and status = 'signed' order by 1`,
    [ids],
  );
  if (rows.length !== ids.length) throw new Error('a request failed');
  return rows.map(({ seconds }) => seconds);
}

/** CPU seconds of this process and of its PDF children. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const children = fs.readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const spent = children.map((pid) => {
    if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pdf-child')) return 0;
    const threads = fs.readdirSync(`/proc/${pid}/task`);
    // Nanoseconds on a CPU: the ticks of /proc/<pid>/stat miss short bursts.
    return threads
      .map((thread) => Number(fs.readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9)
      .reduce((sum, each) => sum + each, 0);
  });
  return (user + system) / 1e6 + spent.reduce((sum, each) => sum + each, 0);
}

/** Runs of some work per second of CPU, this process and its children: other programs on the machine do not count. */
async function perCpuSecond(work: () => Promise<unknown>): Promise<number> {
  const cpu = cpuSeconds();
  let runs = 0;
  for (const until = performance.now() + 2_000; performance.now() < until; runs++) await work();
  return runs / (cpuSeconds() - cpu);
}

async function stageSeconds(worker: RunningWorker): Promise<Record<string, number>> {
  const text = await worker.metrics.text();
  return Object.fromEntries(
    [...text.matchAll(/seal_stage_seconds_sum\{.*?stage="(\w+)".*?\} ([\d.e-]+)/g)].map(([, stage, sum]) => [
      stage,
      Number(sum),
    ]),
  );
}

const worker = await startSealingWorker(config, createLogger({ app: 'sealing-worker', level: 'warn' }));
await latencies(await accept(50));

const perCore: number[] = [];
const perSecondAll: number[] = [];
const cpuMs: number[] = [];
const before = await stageSeconds(worker);
for (let round = 0; round < ROUNDS; round++) {
  const [startedAt, cpu] = [performance.now(), cpuSeconds()];
  await latencies(await accept(REQUESTS));
  perSecondAll.push(REQUESTS / ((performance.now() - startedAt) / 1_000));
  const spent = cpuSeconds() - cpu;
  perCore.push(REQUESTS / spent);
  cpuMs.push((spent * 1_000) / REQUESTS);
}
const after = await stageSeconds(worker);

const late: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  late.push((await latencies(await accept(AT_ONCE))).at(Math.ceil(AT_ONCE * 0.99) - 1) as number);
}
await worker.close();

kms.stop();

/** Within a budget of KMS calls, two for each document, that KMS enforces and counts itself. */
const LIMIT = 200;
const strictKms = await startKms(LIMIT);
const limited = await startSealingWorker(
  { ...config, kmsMaxPerSecond: LIMIT, kmsEndpoint: strictKms.url } as SealingConfig,
  createLogger({ app: 'sealing-worker', level: 'warn' }),
);
await latencies(await accept(50));
const limitedPerSecond: number[] = [];
const limitedCpuMs: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const [startedAt, cpu] = [performance.now(), cpuSeconds()];
  await latencies(await accept(2 * REQUESTS));
  limitedPerSecond.push((2 * REQUESTS) / ((performance.now() - startedAt) / 1_000));
  limitedCpuMs.push(((cpuSeconds() - cpu) * 1_000) / (2 * REQUESTS));
}
const atKms = await strictKms.counts();
strictKms.stop();
await limited.close();
await signing.close();

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
await admin.end();
await cluster.remove();
fs.rmSync(folder, { recursive: true, force: true });

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
    other: `${LIMIT / 2}/s at the most`,
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
]);
