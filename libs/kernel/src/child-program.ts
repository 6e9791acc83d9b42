import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { besideBundle } from './beside-bundle.ts';

/** A program that another one starts as a process or thread of its own. */
export interface ChildProgram {
  /** Its name: `<name>.js` beside an app's bundle. */
  name: string;
  /** Its source, from the repository's root. */
  entry: string;
  /** Folders of what it consists of, from the repository's root: a change in them makes it anew. */
  sources: readonly string[];
  /** Packages that the program finds in node_modules when it runs inside the repository. */
  external?: readonly RegExp[];
}

const built = new Map<string, Promise<string>>();

/**
 * The file of a child's program: laid beside the bundle that `moduleUrl` belongs to; in the repository (tests, tools), bundled at
 * first use into dist/children.
 */
export function childProgram(moduleUrl: string, program: ChildProgram): Promise<string> {
  const beside = besideBundle(moduleUrl, `${program.name}.js`);
  if (beside) return Promise.resolve(beside);
  const known = built.get(program.name);
  if (known) return known;
  const building = Promise.resolve().then(() =>
    bundleFromSources(repository(path.dirname(fileURLToPath(moduleUrl)), program), program),
  );
  built.set(program.name, building);
  return building;
}

/** The folder above that has the sources. */
function repository(start: string, { name, entry }: ChildProgram): string {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, entry))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`${name}.js is missing beside the bundle`);
  }
}

async function bundleFromSources(workspace: string, { name, entry, sources, external }: ChildProgram): Promise<string> {
  const target = path.join(workspace, 'dist/children', `${name}-${digestOf(workspace, sources)}`);
  const file = path.join(target, `${name}.js`);
  if (fs.existsSync(file)) return file;

  // By a computed name: an app's bundle must not take the bundler in.
  const tool = pathToFileURL(path.join(workspace, 'tools/build/bundle.mjs')).href;
  const { bundle } = (await import(/* @vite-ignore */ tool)) as { bundle: (options: object) => Promise<unknown> };
  const staging = `${target}.${randomUUID()}`;
  await bundle({ entries: { [name]: path.join(workspace, entry) }, outDir: staging, external: external ?? [] });
  fs.writeFileSync(path.join(staging, 'package.json'), '{"type":"module"}\n');
  try {
    fs.renameSync(staging, target);
  } catch {
    fs.rmSync(staging, { recursive: true, force: true }); // another process was first
  }
  return file;
}

function digestOf(workspace: string, folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = (fs.readdirSync(path.join(workspace, folder), { recursive: true }) as string[]).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
    );
    for (const file of files.sort()) hash.update(file).update(fs.readFileSync(path.join(workspace, folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
