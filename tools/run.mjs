/** Runs a TypeScript tool: node tools/run.mjs <entry.ts> [arguments]. Bundles it under dist/tools first (about a second). */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FROM_NODE_MODULES, WORKSPACE, bundle } from '@constancia/bundling';
import { childProgramsFromSources } from './build/child-programs.mjs';

const [entry, ...rest] = process.argv.slice(2);
if (!entry) {
  console.error('Usage: node tools/run.mjs <entry.ts> [arguments]');
  process.exit(2);
}
const name = path.basename(entry, '.ts');
const outDir = path.join(WORKSPACE, 'dist/tools', path.basename(path.dirname(entry)));
await bundle({ entries: { [name]: path.resolve(entry) }, outDir, external: [FROM_NODE_MODULES] });
childProgramsFromSources();
process.argv = [process.argv[0], path.join(outDir, `${name}.js`), ...rest];
await import(pathToFileURL(path.join(outDir, `${name}.js`)).href);
