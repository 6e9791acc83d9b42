import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sharedPath } from '@constancia/testing/shared-folder';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../entry.ts';
import { fatfTable } from '../sandbox/sandbox-lists.fixture.ts';
import { detectFormat } from './detect-format.ts';
import { importCountryStatuses } from './fatf-csv.ts';
import { importList, streamList, type ImportedList } from './import-list.ts';
import { problemOf } from './text-file.fixture.ts';

/** Published lists, beside the repository and never in it; its README states how many entries each has. */
const LISTS = sharedPath('lists') ?? '';
const present = LISTS !== '';
if (!present) console.log('skipped: ../shared/lists is not here');
const at = (...names: string[]) => path.join(LISTS, ...names);
const identifiers = (list: ImportedList, type: string, country: string) =>
  list.entries.flatMap((entry) => entry.identifiers).filter((one) => one.type === type && one.country === country)
    .length;
const entry = (list: ImportedList, id: string): ListEntry | undefined => list.entries.find((one) => one.id === id);

describe.skipIf(!present)('the published lists', () => {
  it('are all imported, without a lost entry, in five seconds', { timeout: 60_000 }, async () => {
    const started = performance.now();
    const cpu = process.cpuUsage();
    const seen: Record<string, number> = {};
    for (const [name, source, entries] of [
      ['OFAC SDN 2021', at('ofac-2021-07'), 8976],
      ['OFAC non-SDN 2025', at('ofac-nonsdn-2025-12', 'cons_prim.csv'), 442],
      ['UN 2026', at('un-2026-02', 'UN_consolidated.xml'), 1003],
      ['EU journal 2026', at('eu-journal-2026-08', 'consolidated'), 8017],
      ['PEP', at('pep-us-congress'), 1319],
      ['FtM t1', at('ftm-samples', 't1_entities.ftm.json'), 6],
      ['FtM zala', at('ftm-samples', 'zala_entities.ftm.json'), 14],
      ['FtM parteispenden', at('ftm-samples', 'parteispenden_entities.ftm.json'), 96],
      ['FtM delta 1', at('ftm-samples', 't2_20240527194702-wnk_entities.delta.json'), 2],
      ['FtM delta 2', at('ftm-samples', 't2_20240528014702-pfh_entities.delta.json'), 2],
    ] as const) {
      const list = await importList('auto', source);
      seen[name] = list.counts.entries;
      expect(list.counts.entries, name).toBe(entries);
    }
    const { user, system } = process.cpuUsage(cpu);
    const cpuSeconds = (user + system) / 1e6;
    const seconds = (performance.now() - started) / 1000;
    console.log(`all lists: ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of processor`, seen);
    // Of processor time: the machine that runs the tests has other work too.
    expect(Math.min(seconds, cpuSeconds)).toBeLessThanOrEqual(5);
  });

  it("give OFAC's rows, documents and remarks that go on in the comments", async () => {
    const list = await importList('ofac-csv', at('ofac-2021-07', 'sdn.csv'));
    expect(list.records).toEqual({ 'sdn.csv': 8976, 'alt.csv': 11910, 'add.csv': 13837, 'sdn_comments.csv': 5 });
    expect(list.counts.kinds).toEqual({ person: 4620, organisation: 3673, vessel: 406, aircraft: 277, unknown: 0 });
    expect(list.files.map((file) => file.name)).toEqual(['add.csv', 'alt.csv', 'sdn.csv', 'sdn_comments.csv']);
    expect(identifiers(list, 'CC', 'CO')).toBe(518);
    expect(identifiers(list, 'NIT', 'CO')).toBe(396);
    expect(identifiers(list, 'PA', 'CO')).toBe(150); // 148, and two with a blank in their number
    expect(list.warnings.map((warning) => warning.code)).toEqual(['unknown_country']);
    // The quoted alias is cut between the two files.
    expect(entry(list, '28263')?.names.map((name) => name.text)).toContain('snowsjohn');
    expect(list.entries.flatMap((one) => one.names).some((name) => /-0-|\u001a/.test(name.text))).toBe(false);
    expect(list.entries.flatMap((one) => one.programmes).some((programme) => /[[\]]/.test(programme))).toBe(false);
  });

  it("give the UN's individuals and entities, every alias among them", async () => {
    const list = await importList('un-xml', at('un-2026-02', 'UN_consolidated.xml'));
    expect(list.counts.kinds).toMatchObject({ person: 730, organisation: 273 });
    expect(list.records).toEqual({ INDIVIDUAL: 730, INDIVIDUAL_ALIAS: 2308, ENTITY: 273, ENTITY_ALIAS: 735 });
    expect(list.publishedAt).toBe('2026-02-27T00:00:09.554Z');
    expect(list.entries.flatMap((one) => one.names).some((name) => name.text.includes(';'))).toBe(false);
  });

  it('tell of aliases whose entry is not in an older sdn.csv, and keep them when asked to', async () => {
    const set = [
      at('ofac-2021-07', 'sdn.csv'),
      ...['alt', 'add', 'sdn_comments'].map((name) => at('ofac-2025-12', `${name}.csv`)),
    ];
    const list = await importList('ofac-csv', set);
    expect(list.records).toMatchObject({ 'sdn.csv': 8976, 'alt.csv': 20107, 'add.csv': 24244 });
    expect(list.warnings.find((warning) => warning.code === 'orphan_row')?.count).toBeGreaterThan(20107 - 11218);
    const kept = await importList('ofac-csv', set, { keepOrphans: true });
    expect(kept.counts.kinds.unknown).toBe(kept.counts.entries - 8976);
    expect(kept.counts.kinds.unknown).toBeGreaterThan(3000);
  });

  it('without its sdn.csv the set of 2025 is refused, and says what is missing', async () => {
    expect(await problemOf(importList('ofac-csv', at('ofac-2025-12')))).toMatchObject({ code: 'missing_file' });
    expect(await problemOf(importList('auto', at('ftm-samples', 't2_delta.json')))).toMatchObject({
      code: 'wrong_format',
    });
  });

  it('apply a delta to its list', async () => {
    const files = ['t2_20240527194702-wnk', 't2_20240528014702-pfh'].map((name) =>
      at('ftm-samples', `${name}_entities.delta.json`),
    );
    const list = await importList('auto', files);
    expect(list.entries.map((one) => one.id).sort()).toEqual([
      'NK-2T3S8Hu29ktYnKSTgQp2wL',
      'NK-2sJaJRaPJcWUfMbHjTtWcL',
      'NK-500Poltergeist',
    ]);
  });

  it('cut in their middle are refused, whichever they are', { timeout: 30_000 }, async () => {
    for (const name of [
      'un-2026-02/UN_consolidated.xml',
      'pep-us-congress/us_congress_senzing.jsonl',
      'eu-journal-2026-08/consolidated/32014R0269.csv',
    ]) {
      const whole = fs.readFileSync(at(name));
      const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
      const problem = await problemOf(importList('auto', [{ name, open: () => Readable.from([cut]) }]));
      expect(problem.code, name).toBe('truncated');
    }
  });

  it('with half of their entries gone say so by their counts', async () => {
    const rows = fs.readFileSync(at('pep-us-congress', 'us_congress_senzing.jsonl'), 'utf8').split('\n');
    const half = Buffer.from(rows.slice(0, 660).join('\n') + '\n');
    const list = await importList('auto', [{ name: 'half', open: () => Readable.from([half]) }]);
    expect(list.counts.entries).toBe(660);
  });

  it('stream one entry after the other', async () => {
    let count = 0;
    for await (const one of streamList('un-xml', at('un-2026-02', 'UN_consolidated.xml'))) {
      count += 1;
      if (count === 10) expect(one.names.length).toBeGreaterThan(0);
    }
    expect(count).toBe(1003);
  });

  it('hold the FATF table as it is shipped', async () => {
    const source = at('fatf-2026-02', 'fatf.csv');
    const name = 'fatf.csv';
    expect(await detectFormat({ name, open: () => fs.createReadStream(source) })).toBe('fatf-csv');
    const table = await importCountryStatuses(source);
    expect(table.statuses).toHaveLength(25);
    expect(table.statuses.filter((status) => status.category === 'increased_monitoring')).toHaveLength(22);
    expect(await fatfTable()).toEqual(table);
  });
});
