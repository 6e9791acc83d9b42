/**
 * npm run deploy:render: writes what is under deploy/, for every file in deploy/values, and docs/slos.md, and removes what is no
 * longer rendered. With --check it writes nothing and fails when something committed differs.
 *
 * npm run deploy:render -- --values FILE [--values FILE …] --out FOLDER [--digests FILE]: writes the manifests of environments whose
 * values stand elsewhere, into another folder. FILE of --digests has the digests of images by module, as a release has it.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { environmentFrom, ValuesInvalid } from './environments.ts';
import { manifestsOf } from './rendered-files.ts';

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    values: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    digests: { type: 'string' },
  },
});

function write(root: string, file: string, text: string): void {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}

function renderElsewhere(files: readonly string[], out: string, digests: string | undefined): void {
  const environments = files.map(environmentFrom);
  const names = environments.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ValuesInvalid(files.join(', '), [`name is "${twice}" in two of them`]);
  const known = digests === undefined ? {} : (JSON.parse(fs.readFileSync(digests, 'utf8')) as Record<string, string>);
  const manifests = manifestsOf(environments, known);
  for (const [file, text] of manifests) write(out, file, text);
  console.log(`${manifests.size} files in ${out}.`);
}

async function renderHere(check: boolean): Promise<void> {
  // Loaded for this alone: the formatter is in no release.
  const { drift, formattedFiles } = await import('./drift.ts');
  const files = await formattedFiles();
  const differences = drift(process.cwd(), files);
  if (check) {
    for (const { file, what } of differences) console.error(`${file} ${what}`);
    if (differences.length === 0) return;
    console.error('Run "npm run deploy:render" and commit what it writes.');
    process.exitCode = 1;
    return;
  }
  for (const { file, what } of differences) {
    if (what === 'is no longer rendered') fs.rmSync(file);
    else write(process.cwd(), file, files.get(file) as string);
  }
  console.log(`${files.size} files, ${differences.length} of them changed.`);
}

try {
  if (options.values.length === 0) await renderHere(options.check);
  else if (options.out === undefined)
    throw new ValuesInvalid('The command', ['--out is missing: say which folder to write to']);
  else renderElsewhere(options.values, options.out, options.digests);
} catch (error) {
  if (!(error instanceof ValuesInvalid)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
