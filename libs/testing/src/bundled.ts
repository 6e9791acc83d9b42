import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { FROM_NODE_MODULES, WORKSPACE, bundle } from '@constancia/bundling';
import { childProgram } from '@constancia/child-process';

/**
 * Bundles a TypeScript entry so that a test can start it as a process of its own; answers the path of the file to run.
 * `children`: programs that it starts itself.
 */
export async function bundled(entry: string, children: readonly string[] = []): Promise<string> {
  const name = path.basename(entry, '.ts');
  const outDir = path.join(WORKSPACE, 'dist/testing', createHash('sha256').update(entry).digest('hex').slice(0, 12));
  await bundle({ entries: { [name]: entry }, outDir, external: [FROM_NODE_MODULES] });
  for (const child of children)
    fs.cpSync(path.dirname(await childProgram(import.meta.url, child)), outDir, { recursive: true });
  return path.join(outDir, `${name}.js`);
}
