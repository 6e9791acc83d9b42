import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundled, eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { sharedPath } from '@constancia/testing/shared-folder';
import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const SHARED = sharedPath('lists') ?? '';
const sharedThere = SHARED !== '';
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

const write = (name: string, content: string | Buffer): string => {
  fs.writeFileSync(path.join(folder, name), content);
  return path.join(folder, name);
};

/** A list of so many people, in the form that operators write. */
const csv = (people: number, name = (nth: number) => `Persona Ficticia ${nth}`): string =>
  ['id,kind,name', ...Array.from({ length: people }, (_, nth) => `P-${nth},person,${name(nth)}`), ''].join('\n');

describe('npm run lists', () => {
  it('imports a list, says what came of it, and shows it', async () => {
    const { status, output } = await lists(['import', 'ONU', write('onu.csv', csv(40))]);
    expect(output).toMatch(/^ONU 1-[0-9a-f]{8} is active: 40 entries, 40 names \(0 of them aliases\)\./);
    expect(output).toContain('Added 40, changed 0, removed 0.');
    expect(status).toBe(0);
    expect((await lists(['show'])).output).toMatch(/ONU +1-[0-9a-f]{8} +40 /);
  });

  it('finds that a file is the active one, and compares a new one with it', async () => {
    await lists(['import', 'PEP', write('pep.csv', csv(40))]);
    expect((await lists(['import', 'PEP', write('again.csv', csv(40))])).output).toContain('is this very file already');
    const changed = csv(41)
      .replace('Persona Ficticia 7\n', 'Persona Inventada 7\n')
      .replace(/^P-3,.*\n/m, '');
    const { output } = await lists(['import', 'PEP', write('new.csv', changed)], { LANG: 'es_CO.UTF-8' });
    expect(output).toContain('Nuevos 1, cambiados 1, retirados 1.');
    expect(await versions()).toMatchObject([
      { status: 'superseded', entries: 40 },
      { status: 'active', entries: 40 },
    ]);
  });

  it('says what to do where there is no database', async () => {
    const { status, output } = await lists(['show'], { COMPLIANCE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(status).toBe(1);
    expect(output).toContain('The list could not be imported: the database cannot be reached');
  });
});

const XML = (head: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n<CONSOLIDATED_LIST>${body}</CONSOLIDATED_LIST>`;
const BOMB = XML(
  '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
  '<INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>&b;</FIRST_NAME></INDIVIDUAL></INDIVIDUALS>',
);
const EXTERNAL = XML(
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  '<INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>&e;</FIRST_NAME></INDIVIDUAL></INDIVIDUALS>',
);

const BROKEN: [kind: string, content: string | Buffer, code: string, says: RegExp][] = [
  ['was cut', csv(40).slice(0, -24), 'truncated', /cut\. Download it again/],
  ['is empty', '', 'empty', /The file is empty\. Download it again/],
  ['is a web page', '<html><body>503</body></html>', 'wrong_format', /web page, not a list/],
  [
    'is not UTF-8',
    Buffer.from(
      csv(40, (nth) => `Muñoz ${nth}`),
      'latin1',
    ),
    'wrong_encoding',
    /not UTF-8/,
  ],
  ['lost half of its entries', csv(20), 'shrunk', /would shrink by 50 %, from 40 entries to 20/],
  ['is an XML bomb', BOMB, 'forbidden_xml', /.+/],
  ['reads other files', EXTERNAL, 'forbidden_xml', /.+/],
  [
    'is another list',
    fs.readFileSync(path.join(import.meta.dirname, 'fsf.fixture.xml')),
    'wrong_list',
    /Import it as EU_SANCTIONS/,
  ],
];

describe('a broken file', () => {
  it('leaves the last good list active, says why, and is kept as refused', async () => {
    await lists(['import', 'ONU', write('good.csv', csv(40))]);
    const [good] = await versions();
    for (const [kind, content, code, says] of BROKEN) {
      const { status, output } = await lists(['import', 'ONU', write('broken', content)]);
      expect(status, kind).toBe(1);
      expect(output, kind).toMatch(says);
      expect(output, kind).toContain(`Version ${good?.version} stays active.`);
      const rows = await versions();
      expect(rows.filter((row) => row.status === 'active')).toMatchObject([{ version: good?.version, entries: 40 }]);
      expect(rows.at(-1), kind).toMatchObject({ status: 'refused', refusal: { code } });
    }
    const forced = await lists(['import', 'ONU', write('half.csv', csv(20)), '--force']);
    expect(forced.status, forced.output).toBe(0);
  }, 90_000);

  it('that lost a kind is refused, too', async () => {
    const company = 'C-1,organisation,Empresa Ficticia\n';
    await lists(['import', 'OFAC', write('good.csv', csv(40) + company)]);
    const { output } = await lists(['import', 'OFAC', write('less.csv', csv(40))]);
    expect(output).toContain('The list would have no organisation any more; it has 1 now.');
  });
});

describe('an import that dies', () => {
  it('before it commits leaves nothing behind, and the next one works', async () => {
    await lists(['import', 'ONU', write('good.csv', csv(40))]);
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query('begin; update compliance.list_clock set ticks = ticks'); // the import's last step waits for this
    const child = spawn(process.execPath, [program, 'import', 'ONU', write('next.csv', csv(41))], {
      env: { PATH: process.env.PATH, COMPLIANCE_DATABASE_URL: database.app('compliance') },
    });
    await eventually(async () => {
      const waiting = await database.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    child.kill('SIGKILL');
    await admin.query('rollback');
    await admin.end();
    await eventually(async () => expect(await versions()).toMatchObject([{ status: 'active', entries: 40 }]));
    expect((await lists(['import', 'ONU', write('next.csv', csv(41))])).status).toBe(0);
    expect(await versions()).toMatchObject([{ status: 'superseded' }, { status: 'active', entries: 41 }]);
  }, 40_000);
});

describe.skipIf(!sharedThere)('the real list files', () => {
  it('are all imported without a lost entry', async () => {
    const files: [list: string, files: string[], entries: number, flags?: string[]][] = [
      ['OFAC', ['ofac-2021-07/sdn.csv'], 8_976],
      ['ONU', ['un-2026-02/UN_consolidated.xml'], 1_003],
      ['EU_SANCTIONS', ['eu-journal-2026-08/consolidated'], 8_017],
      ['PEP', ['pep-us-congress/us_congress_senzing.jsonl'], 1_319],
      ['FATF', ['fatf-2026-02/fatf.csv'], 25],
      ['OFAC', ['ofac-nonsdn-2025-12'], 442, ['--force']],
      ['INTERNAL', ['ftm-samples/zala_entities.ftm.json'], 0],
    ];
    for (const [list, names, entries, flags = []] of files) {
      const places = names.map((name) => path.join(SHARED, name));
      const { status, output } = await lists(['import', list, ...places, ...flags]);
      expect(status, output).toBe(0);
      const active = (await versions()).find((row) => row.list === list && row.status === 'active');
      if (entries > 0) expect(active?.entries, list).toBe(entries);
      else expect(active?.entries, list).toBeGreaterThan(0);
    }
  }, 180_000);
});
