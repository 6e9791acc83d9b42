/**
 * npm run bench: runs every bench (or those named), prints their rows and writes docs/benchmarks.md.
 *
 *   npm run bench             all
 *   npm run bench -- ledger   one; the table is left alone
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const ALL = ['ledger', 'deliveries', 'http', 'fill', 'seals'];
const named = process.argv.slice(2);
const rows = [];

process.chdir(root);
if (spawnSync('node', ['tools/build/build.mjs'], { stdio: 'inherit' }).status !== 0) process.exit(1);
for (const name of named.length > 0 ? named : ALL) {
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
  rows.push(...JSON.parse(last.slice('BENCH '.length)));
}

if (named.length === 0) {
  const table = rows.map(
    (row) =>
      `| ${row.name} | ${row.ours} | ${row.other} | ${row.ratio === null ? '–' : row.ratio.toFixed(2)} | ${row.goal} |`,
  );
  fs.writeFileSync(
    'docs/benchmarks.md',
    [
      '# Benchmarks',
      '',
      'Written by `npm run bench`. Both sides of a row ran in turn within one run on one machine, so the ratio is what counts; it is the',
      'median of the rounds. Commits are durable (fsync on) in the ledger bench.',
      '',
      `Machine: ${os.cpus().length} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
      '',
      '| What | Ours | Other side | Ratio | Goal |',
      '|---|---|---|---|---|',
      ...table,
      '',
    ].join('\n'),
  );
  spawnSync(path.join(root, 'node_modules/.bin/prettier'), ['--write', 'docs/benchmarks.md'], { stdio: 'ignore' });
  console.log('docs/benchmarks.md written');
}
