import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { bundle, WORKSPACE } from './bundle.mjs';

it('a cron pattern in a bundle fails with a sentence that says why', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-bundle-'));
  try {
    const entry = path.join(folder, 'entry.ts');
    const bullmq = path.join(WORKSPACE, 'node_modules/bullmq/dist/esm/index.js');
    fs.writeFileSync(entry, `export { getNextMillis } from ${JSON.stringify(bullmq)};\n`);
    await bundle({ entries: { main: entry }, outDir: path.join(folder, 'out') });
    const { getNextMillis } = (await import(pathToFileURL(path.join(folder, 'out/main.js')).href)) as {
      getNextMillis: (millis: number, schedule: { every?: number; pattern?: string }) => number;
    };
    expect(getNextMillis(1_500, { every: 1_000 })).toBe(2_000);
    expect(() => getNextMillis(1_500, { pattern: '0 3 * * *' })).toThrow(/cron patterns are not in the bundles/);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

it('a class that Nest derives from another has its rules and the types of its members, from the bundle alone', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-bundle-'));
  try {
    const entry = path.join(WORKSPACE, 'libs/bundling/src/derived.fixture.ts');
    await bundle({ entries: { main: entry }, outDir: path.join(folder, 'out'), lean: true });
    const { isTyped, refused } = (await import(pathToFileURL(path.join(folder, 'out/main.js')).href)) as {
      isTyped: () => boolean;
      refused: (given: object) => string[];
    };
    expect(isTyped()).toBe(true);
    expect(refused({ code: 7 })).toEqual(['code']);
    expect(refused({ code: 'contract' })).toEqual([]);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

it('a schema of a route in a bundle fails with a sentence that says why', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-bundle-'));
  try {
    const entry = path.join(folder, 'entry.ts');
    const fastify = path.join(WORKSPACE, 'node_modules/fastify/fastify.js');
    fs.writeFileSync(entry, `export { fastify } from ${JSON.stringify(fastify)};\n`);
    await bundle({ entries: { main: entry }, outDir: path.join(folder, 'out') });
    const { fastify: start } = (await import(pathToFileURL(path.join(folder, 'out/main.js')).href)) as {
      fastify: () => { get: (path: string, ...rest: unknown[]) => void; ready: () => Promise<unknown> };
    };
    const plain = start();
    plain.get('/', () => 'x');
    await plain.ready();
    const described = start();
    described.get('/', { schema: { querystring: { type: 'object' } } }, () => 'x');
    await expect(described.ready()).rejects.toThrow(/schemas of routes are not in the bundles/);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
