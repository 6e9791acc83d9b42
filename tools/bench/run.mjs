/**
 * npm run bench: runs every bench (or those named), prints their rows and writes their sections of docs/benchmarks.md.
 *
 *   npm run bench             all
 *   npm run bench -- ledger   one; the other sections stay as they are
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const ALL = [
  'ledger',
  'usage',
  'deliveries',
  'replay',
  'http',
  'authenticated',
  'telemetry',
  'fill',
  'seals',
  'envelopes',
  'envelope-batches',
  'rules',
  'sd-jwt',
  'status-list',
  'openid',
  'export',
  'cases',
  'console-lists',
  'growth',
  'names',
  'screening-match',
  'screenings',
  'screening-batches',
  'rescreen',
  'advance',
  'beside-faces',
  'documents',
  'faces',
  'liveness',
  'shots',
  'page',
  'guidance',
];
const named = process.argv.slice(2);
const REPORT = 'docs/benchmarks.md';

process.chdir(root);
if (spawnSync('node', ['tools/build/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1);

/** The report as its preface and its sections by heading. */
function sectionsOf(text) {
  const [preface, ...parts] = text.split(/^(?=## )/m);
  return { preface, sections: new Map(parts.map((part) => [/^## (.*)$/m.exec(part)[1], part])) };
}

/** Puts a bench's table in the place of its former one. The load is the machine's, this bench included. */
function writeSection(name, rows, loadBefore) {
  const { preface, sections } = sectionsOf(fs.readFileSync(REPORT, 'utf8'));
  const load = [loadBefore, os.loadavg()[0]].map((each) => each.toFixed(1));
  const table = rows.map(
    (row) =>
      `| ${row.name} | ${row.ours} | ${row.other} | ${row.ratio === null ? '–' : row.ratio.toFixed(2)} | ${row.goal} |`,
  );
  const about = `${os.cpus().length} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}; load average ${load[0]} before and ${load[1]} after.`;
  const lines = [`## ${name}`, '', about, '', '| What | Ours | Other side | Ratio | Goal |', '|---|---|---|---|---|', ...table, '', '']; // prettier-ignore
  sections.set(name, lines.join('\n'));
  const names = [...new Set([...ALL, ...sections.keys()])].filter((each) => sections.has(each));
  fs.writeFileSync(REPORT, [preface, ...names.map((each) => sections.get(each))].join(''));
  spawnSync(path.join(root, 'node_modules/.bin/prettier'), ['--write', REPORT], { stdio: 'ignore' });
}

for (const name of named.length > 0 ? named : ALL) {
  const loadBefore = os.loadavg()[0];
  console.log(`— ${name}`);
  const result = spawnSync('node', ['tools/run.mjs', `tools/bench/${name}.ts`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 28,
  });
  const lines = result.stdout.split('\n');
  console.log(lines.filter((line) => !line.startsWith('BENCH ')).join('\n'));
  const last = lines.find((line) => line.startsWith('BENCH '));
  if (result.status !== 0 || !last) {
    console.error(`bench ${name} failed`);
    process.exit(1);
  }
  writeSection(name, JSON.parse(last.slice('BENCH '.length)), loadBefore);
}
console.log(`${REPORT} written`);
