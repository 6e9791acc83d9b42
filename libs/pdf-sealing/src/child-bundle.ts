import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { besideBundle } from './beside-bundle.ts';

const ENTRY = 'libs/pdf-sealing/src/pdf-child.ts';
let built: Promise<string> | undefined;

/** The child's program: laid beside an app's bundle; in the repository (tests, tools), bundled at first use into dist/children. */
export function childBundle(): Promise<string> {
  const beside = besideBundle(import.meta.url, 'pdf-child.js');
  if (beside) return Promise.resolve(beside);
  built ??= Promise.resolve().then(() => bundleFromSources(repository()));
  return built;
}

/** The folder above this module that has the sources. */
function repository(): string {
  const start = path.dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, ENTRY))) return folder;
    if (folder === path.dirname(folder)) throw new Error('pdf-child.js is missing beside the bundle');
  }
}

async function bundleFromSources(workspace: string): Promise<string> {
  const source = path.join(workspace, ENTRY);
  const target = path.join(workspace, 'dist/children', `pdf-child-${digestOf(path.dirname(source))}`);
  const entry = path.join(target, 'pdf-child.js');
  if (fs.existsSync(entry)) return entry;

  // By a computed name: an app's bundle must not take the bundler in.
  const tool = pathToFileURL(path.join(workspace, 'tools/build/bundle.mjs')).href;
  const { bundle } = (await import(/* @vite-ignore */ tool)) as { bundle: (options: object) => Promise<unknown> };
  const staging = `${target}.${randomUUID()}`;
  await bundle({ entries: { 'pdf-child': source }, outDir: staging });
  fs.writeFileSync(path.join(staging, 'package.json'), '{"type":"module"}\n');
  try {
    fs.renameSync(staging, target);
  } catch {
    fs.rmSync(staging, { recursive: true, force: true }); // another process was first
  }
  return entry;
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const files = (fs.readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  for (const file of files.sort()) hash.update(file).update(fs.readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}
