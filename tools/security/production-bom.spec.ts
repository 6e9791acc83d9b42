import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { WORKSPACE } from '../build/sources.mjs';
import { type BillOfMaterials, productionBom } from './production-bom.ts';

it('the bill of materials names every package that is shipped, the same everywhere', { timeout: 60_000 }, async () => {
  const [text, again] = [await productionBom(), await productionBom()];
  expect(again).toBe(text);
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(WORKSPACE, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const { components } = JSON.parse(text) as BillOfMaterials;
  const named = new Set(components.map((one) => one['bom-ref']));
  for (const [name, version] of Object.entries(dependencies)) expect(named, name).toContain(`${name}@${version}`);
  expect(named.has('vitest@4.1.12')).toBe(false);
  for (const machine of [WORKSPACE, os.homedir(), os.hostname()]) expect(text.includes(`${machine}/`)).toBe(false);
});
