import { createHash } from 'node:crypto';
import path from 'node:path';
import { FROM_NODE_MODULES, WORKSPACE, bundle } from '../../../tools/build/bundle.mjs';

/** Bundles a TypeScript entry so that a test can start it as a process of its own; answers the path of the file to run. */
export async function bundled(entry: string): Promise<string> {
  const name = path.basename(entry, '.ts');
  const outDir = path.join(WORKSPACE, 'dist/testing', createHash('sha256').update(entry).digest('hex').slice(0, 12));
  await bundle({ entries: { [name]: entry }, outDir, external: [FROM_NODE_MODULES] });
  return path.join(outDir, `${name}.js`);
}
