import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundled, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const SHARED = path.join(import.meta.dirname, '../../../shared/lists');
const sharedThere = fs.existsSync(SHARED);
if (!sharedThere) console.warn('The real list files are not in ../shared/lists: importing them is not tested.');

let program: string;
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  program = await bundled(path.join(import.meta.dirname, 'lists.ts'));
});
beforeEach(async () => {
  database = await testDatabase();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lists-'));
});
afterEach(async () => {
  fs.rmSync(folder, { recursive: true, force: true });
  await database.drop();
});
afterAll(() => undefined);

/** Runs the command as an operator does. */
async function lists(args: string[], env: Record<string, string> = {}): Promise<{ status: number; output: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, COMPLIANCE_DATABASE_URL: database.app('compliance'), ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const status = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  return { status, output };
}

interface VersionRow {
  list: string;
  version: string;
  status: string;
  entries: number;
  aliases: number;
  refusal: { code: string; detail: string } | null;
}

const versions = () =>
  database.query<VersionRow>(
    'select list, version, status, entries, aliases, refusal from compliance.list_version order by imported_at',
  );

describe.skipIf(!sharedThere)('the real list files', () => {
  it('are imported without a lost entry, in 5 s in all', async () => {
    const files: [list: string, file: string, entries: number][] = [
      ['OFAC', 'ofac-2021-07/sdn.csv', 8_976],
      ['ONU', 'un-2026-02/UN_consolidated.xml', 1_003],
      ['EU_SANCTIONS', 'eu-journal-2026-08/consolidated', 0],
      ['PEP', 'pep-us-congress/us_congress_senzing.jsonl', 1_319],
      ['FATF', 'fatf-2026-02/fatf.csv', 25],
    ];
    const began = performance.now();
    const took: Record<string, number> = {};
    for (const [list, file] of files) {
      const from = performance.now();
      const { status, output } = await lists(['import', list, path.join(SHARED, file)]);
      expect(status, output).toBe(0);
      took[list] = Math.round(performance.now() - from);
      console.log(output);
    }
    const ms = performance.now() - began;
    console.log(took, ms);
    const active = new Map((await versions()).map((row) => [row.list, row]));
    for (const [list, , entries] of files) if (entries > 0) expect(active.get(list)?.entries, list).toBe(entries);
    expect(ms).toBeLessThan(5_000);
  });
});
