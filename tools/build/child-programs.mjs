/** What apps start as processes or threads, for tests and tools that run them from the sources: built into dist/children at first use. */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { bundle } from '@constancia/bundling';
import { childEntry } from './extras.mjs';
import { WORKSPACE } from './sources.mjs';

/** @type {Map<string, Promise<string>>} */
const built = new Map();

/** Lets this process start children without a bundle (libs/child-process, FROM_SOURCES). */
export function childProgramsFromSources() {
  globalThis[Symbol.for('@constancia/child-process/from-sources')] = childProgramFile;
}

/**
 * The file of a program, made again when a source of its app or of a library changed.
 *
 * @param {string} name
 * @returns {Promise<string>}
 */
export function childProgramFile(name) {
  const known = built.get(name) ?? build(name);
  built.set(name, known);
  return known;
}

async function build(name) {
  const { entry, external } = childEntry(name);
  const target = path.join(WORKSPACE, 'dist/children', `${name}-${digestOf(['libs', entry.split('/', 2).join('/')])}`);
  const file = path.join(target, `${name}.js`);
  if (fs.existsSync(file)) return file;
  const staging = `${target}.${randomUUID()}`;
  await bundle({ entries: { [name]: path.join(WORKSPACE, entry) }, outDir: staging, external });
  fs.writeFileSync(path.join(staging, 'package.json'), '{"type":"module"}\n');
  try {
    fs.renameSync(staging, target);
  } catch {
    fs.rmSync(staging, { recursive: true, force: true }); // another process was first
  }
  return file;
}

function digestOf(folders) {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = fs
      .readdirSync(path.join(WORKSPACE, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|[\\/])src[\\/].*(?<!\.spec)\.ts$/.test(file) && !file.includes('node_modules'));
    for (const file of files.sort()) hash.update(file).update(fs.readFileSync(path.join(WORKSPACE, folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
