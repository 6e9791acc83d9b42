/** Who imports whom, type imports included: read by cycles.spec.ts in every unit run, and from files that a test plants. */
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export type Graph = Map<string, Set<string>>;

const SOURCE = /\.(ts|tsx|mts|mjs)$/;
const TEST = /\.(spec|fixture)\.tsx?$|\.d\.m?ts$/;
const SKIPPED = new Set(['node_modules', 'dist', 'generated']);

function sourcesIn(folder: string, tests: boolean): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourcesIn(file, tests);
    return SOURCE.test(entry.name) && (tests || !TEST.test(entry.name)) ? [file] : [];
  });
}

/** The file that a library's name stands for, by the `exports` of its package.json. */
function libraryEntries(root: string): Map<string, string> {
  const libs = path.join(root, 'libs');
  const entries = new Map<string, string>();
  if (!fs.existsSync(libs)) return entries;
  for (const folder of fs.readdirSync(libs)) {
    const manifest = path.join(libs, folder, 'package.json');
    if (!fs.existsSync(manifest)) continue;
    const { name, exports } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as {
      name: string;
      exports?: Record<string, string | object>;
    };
    for (const [subpath, target] of Object.entries(exports ?? {})) {
      if (typeof target === 'string') entries.set(path.posix.join(name, subpath), path.join(libs, folder, target));
    }
  }
  return entries;
}

/** The imports among the files of `folders` (relative to `root`). Tests and fixtures are read only when `tests` is set. */
export function importGraph(root: string, folders: readonly string[], { tests = false } = {}): Graph {
  const libraries = libraryEntries(root);
  const files = folders.flatMap((folder) => sourcesIn(path.join(root, folder), tests));
  const known = new Set(files);
  const targetOf = (from: string, name: string) =>
    name.startsWith('.') ? path.resolve(path.dirname(from), name) : libraries.get(name);
  const importsOf = (file: string) =>
    ts
      .preProcessFile(fs.readFileSync(file, 'utf8'), true, true)
      .importedFiles.map(({ fileName }) => targetOf(file, fileName))
      .filter((target) => target !== undefined && known.has(target)) as string[];
  const relative = (file: string) => path.relative(root, file).replaceAll(path.sep, '/');
  return new Map(files.map((file) => [relative(file), new Set(importsOf(file).map(relative))]));
}

/**
 * Imports between folders that lie side by side, at every depth: a file in a/b/c that imports one in a/d/e is an import
 * from a/b to a/d. A file that lies beside a folder (an app's main.ts) belongs to no folder at that depth.
 */
export function folderGraph(files: Graph): Graph {
  const folders: Graph = new Map();
  for (const [from, targets] of files) {
    for (const to of targets) {
      const [a, b] = [from.split('/'), to.split('/')];
      const depth = a.findIndex((part, index) => part !== b[index]);
      if (depth < 0 || depth === a.length - 1 || depth === b.length - 1) continue;
      const [source, target] = [a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')];
      folders.set(source, (folders.get(source) ?? new Set()).add(target));
    }
  }
  return folders;
}

/** Groups of nodes that reach each other (Tarjan's strongly connected components), each sorted, without groups of one. */
export function cyclesIn(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) groups.push(group.sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return groups.sort();
}
