import fs from 'node:fs';
import path from 'node:path';
import { bundle } from '@constancia/bundling';
import { WORKSPACE } from '@constancia/bundling/workspace';

/**
 * Writes the command that renders manifests from values files as a program that needs no package: `node render.js --values … --out …`.
 * Only what it does in the repository, where the formatter is, needs one.
 */
export async function bundleRenderer(outDir: string): Promise<void> {
  const entries = { render: path.join(WORKSPACE, 'tools/deploy/render.ts') };
  await bundle({ entries, outDir, external: ['prettier'], lean: true });
  fs.writeFileSync(path.join(outDir, 'package.json'), '{"type":"module"}\n');
}
