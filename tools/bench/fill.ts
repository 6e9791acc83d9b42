/**
 * Filling a template: ten values drawn, the whole file produced and its SHA-256 computed. Ours appends a revision to the compiled template,
 * whose digest was computed once and goes on; the other side is pdf-lib as its documentation shows it (load, draw, save). In one process
 * each, so that nothing but the work is compared; and then through the pool, as the sealing worker has it.
 */
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, privateEncrypt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { appendRevision } from '../../libs/pdf-sealing/src/append/append-revision.ts';
import { compileTemplate } from '../../libs/pdf-sealing/src/append/compile-template.ts';
import {
  documentDigest,
  HashedFile,
  PdfPool,
  seal,
  selfIssuedCertificate,
  signatureRoom,
  valuesAt,
} from '@constancia/pdf-sealing';
import { laidOut } from '../../libs/pdf-sealing/src/lay-out.ts';
import { median, report } from './measure.ts';
import type { BenchRow } from './measure.ts';
import { templateOf } from './template-pdf.ts';

const SIZES = [
  { name: '48 KB (1 page, most of it a picture)', pages: 1, bytes: 48 * 1024, rounds: 30, goal: 20 },
  { name: '48 KB (5 pages)', pages: 5, bytes: 48 * 1024, rounds: 30, goal: 20 },
  { name: '2 MB (20 pages)', pages: 20, bytes: 2 * 1024 * 1024, rounds: 8, goal: 4 },
  { name: '25 MB (200 pages)', pages: 200, bytes: 25 * 1024 * 1024 - 4_096, rounds: 4, goal: 4 },
];
const BLOCK = 8;
const SEALS = 400;
/** What stands before a SHA-256 in RSASSA-PKCS1-v1_5 (RFC 8017, 9.2). */
const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');
const PLACEHOLDERS = Array.from({ length: 10 }, (_, nth) => ({
  key: `field_${nth}`,
  page: 1,
  x: 60,
  y: 60 + nth * 20,
  size: 11,
}));
const VALUES = Object.fromEntries(PLACEHOLDERS.map(({ key }, nth) => [key, `María José Ñáñez Güiza ${nth}`]));
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function plainPdfLib(pdf: Buffer): Promise<string> {
  const document = await PDFDocument.load(pdf);
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const { key, page, x, y, size } of PLACEHOLDERS)
    document.getPage(page - 1).drawText(VALUES[key] as string, { x, y, size, font });
  return hash(await document.save());
}

const [templateFile, templatePages, templateBytes] = process.argv.slice(2);
if (templateFile) {
  fs.writeFileSync(templateFile, await templateOf(Number(templatePages), Number(templateBytes)));
  process.exit(0);
}

const rows: BenchRow[] = [];
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;

const throughChild = await throughPool(); // first: memory that others have freed would hide what it takes

for (const { name, pages, bytes, rounds, goal } of SIZES) {
  const pdf = await templateOf(pages, bytes);
  const template = await compileTemplate(pdf);
  const known = new HashedFile(pdf);
  const ours = async () => {
    const content = laidOut({ drawings: valuesAt(PLACEHOLDERS, VALUES) }, template.pages);
    const { delta } = await appendRevision(template, content, undefined);
    return { file: Buffer.concat([pdf, delta]), sha256: known.digestWith(delta) };
  };
  const floor = () => Promise.resolve(hash(pdf));
  const [own, least] = (await inTurn([ours, floor], rounds)).map(median) as [number, number];
  // Apart: a heap full of its objects makes every collection of the others' buffers dear.
  const [library] = (await inTurn([() => plainPdfLib(pdf)], rounds)).map(median) as [number];
  rows.push(
    { name: `fill and hash, ${name}, against pdf-lib`, ours: ms(own), other: ms(library), ratio: library / own, goal: `≥ ${goal}` },
    { name: `fill and hash, ${name}, against SHA-256 of the bytes`, ours: ms(own), other: ms(least), ratio: own / least, goal: pages > 5 ? '≤ 1.5' : '–' },
  ); // prettier-ignore
}
rows.push(...throughChild, await completeSeal());
report(rows);
process.exit(0);

/** Each side in turn, in blocks whose first run is left out: it clears away what the other side left. */
async function inTurn(sides: (() => Promise<unknown>)[], rounds: number): Promise<number[][]> {
  const times: number[][] = sides.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [nth, side] of sides.entries())
      for (let run = 0; run <= BLOCK; run++) {
        const startedAt = performance.now();
        await side();
        if (round > 0 && run > 0) (times[nth] as number[]).push(performance.now() - startedAt);
      }
  return times;
}

/** Made in a process of its own, which takes the garbage with it. */
function templateElsewhere(pages: number, bytes: number): Buffer {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'fill-')), 'template.pdf');
  execFileSync(process.execPath, [process.argv[1] as string, file, String(pages), String(bytes)]);
  const pdf = fs.readFileSync(file);
  fs.rmSync(path.dirname(file), { recursive: true });
  return pdf;
}

/** The sealing worker's way: through a child process. Memory of both, above what they take when idle. */
async function throughPool(): Promise<BenchRow[]> {
  const large = SIZES.at(-1) as (typeof SIZES)[number];
  const pdf = templateElsewhere(large.pages, large.bytes);
  const known = new HashedFile(pdf);
  const field = { fieldName: 'Seal', signatureBytes: 8_192 };
  const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
  const small = await templateOf(1, 48 * 1024);
  await pool.fill(small, PLACEHOLDERS, VALUES);
  const pids = [process.pid, ...childrenOf(process.pid)];
  const resident = () => pids.map((pid) => memoryMb(pid, 'VmRSS'));
  for (const pid of pids) fs.writeFileSync(`/proc/${pid}/clear_refs`, '5'); // the peak begins anew
  const idle = resident();
  const times: number[] = [];
  const peaks: number[][] = [];
  for (let nth = 0; nth < 8; nth++) {
    const startedAt = performance.now();
    documentDigest(await pool.prepare(known, PLACEHOLDERS, VALUES, field));
    times.push(performance.now() - startedAt);
    peaks.push(pids.map((pid, at) => memoryMb(pid, 'VmHWM') - (idle[at] as number)));
  }
  await pool.close();
  const fileMb = pdf.length / 1024 / 1024;
  const [first, ...later] = times as [number, ...number[]];
  const [least] = await inTurn([() => Promise.resolve(hash(pdf))], 2);
  const floor = median(least as number[]);
  const repeated = median(later);
  return [
    { name: 'the same at 25 MB through a child process, template known, against SHA-256', ours: ms(repeated), other: ms(floor), ratio: repeated / floor, goal: '≤ 1.5' },
    { name: 'the first document of a 25 MB template, against SHA-256', ours: ms(first), other: ms(floor), ratio: first / floor, goal: '–' },
    ...[peaks[0], peaks.at(-1)].flatMap((peak, nth) => {
      const [own, child] = peak as [number, number];
      const when = nth === 0 ? 'the first document' : 'eight documents in a row, garbage included';
      return [
        { name: `peak memory at 25 MB above idle, ${when}: this process, its child`, mb: [own, child] },
        { name: `peak memory at 25 MB above idle, ${when}: both together`, mb: [own + child] },
      ].map(({ name, mb }) => ({
        name,
        ours: mb.map((each) => `${each.toFixed(0)} MB`).join(', '),
        other: `${fileMb.toFixed(0)} MB (the file)`,
        ratio: Math.max(...mb) / fileMb,
        goal: '≤ 4',
      }));
    }),
  ]; // prettier-ignore
}

/**
 * The processor's time of a whole seal through a child process, of both processes: drawn, signed inside, hashed, signed beside, each
 * signature by a local RSA-2048 key; and that of the two signatures alone.
 */
async function completeSeal(): Promise<BenchRow> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (digest: Buffer) =>
    Promise.resolve(privateEncrypt(privateKey, Buffer.concat([SHA256_DIGEST_INFO, digest])));
  const spkiDer = publicKey.export({ type: 'spki', format: 'der' });
  const certificateDer = await selfIssuedCertificate({ subject: 'CN=Bench', spkiDer, sign });
  const identity = { certificateDer, chainDer: [] };
  const pdf = new HashedFile(await templateOf(1, 48 * 1024));
  const pool = new PdfPool({ processes: 1, memoryMb: 512, deadlineMs: 8_000 });
  const room = signatureRoom(identity, false);
  const once = async () => {
    const field = { fieldName: 'Seal', signatureBytes: room, signedAt: new Date().toISOString() };
    const prepared = await pool.prepare(pdf, PLACEHOLDERS, VALUES, field);
    await seal(prepared, { ...identity, sign });
    await sign(documentDigest(prepared));
  };
  const twoSigns = async () => {
    for (let nth = 0; nth < 2; nth++) await sign(createHash('sha256').update(`${nth}`).digest());
  };
  for (let nth = 0; nth < SEALS / 4; nth++) await once();
  const [child] = childrenOf(process.pid) as [number];
  const costs: number[][] = [[], []];
  for (let round = 0; round < 5; round++)
    for (const [nth, work] of [once, twoSigns].entries()) {
      const before = cpuMs() + cpuMsOf(child);
      for (let run = 0; run < SEALS; run++) await work();
      (costs[nth] as number[]).push((cpuMs() + cpuMsOf(child) - before) / SEALS);
    }
  await pool.close();
  const [whole, signs] = costs.map(median) as [number, number];
  return { name: 'processor time of a complete seal at 48 KB (both signatures, local RSA-2048 keys, both processes), against the two signatures alone', ours: ms(whole), other: ms(signs), ratio: whole / signs, goal: '≤ 3 ms' }; // prettier-ignore
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Of another process: user and system time in ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const behindName = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1] as string;
  const fields = behindName.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function childrenOf(pid: number): number[] {
  return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number);
}

function memoryMb(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(line?.[1]) / 1024;
}
