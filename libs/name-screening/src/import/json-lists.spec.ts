import { describe, expect, it } from 'vitest';
import { importList } from './import-list.ts';
import { file, importText, problemOf } from './text-file.fixture.ts';

// Nobody in these files exists.
const jsonl = (...objects: object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('');
const PERSON = {
  id: 'NK-f1',
  schema: 'Person',
  caption: 'Ernesto Ficticio',
  target: true,
  last_seen: '2026-03-04T05:06:07',
  properties: {
    name: ['FICTICIO, Ernesto', 'Ernesto Ficticio'],
    alias: ['Эрнесто Фиктивный'],
    weakAlias: ['El Ficticio'],
    birthDate: ['1962-04'],
    nationality: ['co'],
    idNumber: ['1000000001'],
    position: ['Alcalde'],
  },
};
const COMPANY = {
  id: 'NK-f2',
  schema: 'Company',
  properties: { name: ['Ficticia S.A.S.'], jurisdiction: ['co'], taxNumber: ['900000001'] },
};
const FTM = jsonl(
  PERSON,
  COMPANY,
  { id: 's1', schema: 'Sanction', properties: { entity: ['NK-f1'], programId: ['US-NARCO'] } },
  { id: 'p1', schema: 'Passport', properties: { holder: ['NK-f1'], number: ['X1'], country: ['co'] } },
  { id: 'o1', schema: 'Occupancy', properties: { holder: ['NK-f1'], post: ['Q1'], endDate: ['2025-08-06'] } },
  { id: 'o2', schema: 'Occupancy', properties: { holder: ['NK-f1'], post: ['Q1'], endDate: ['2019-01-01'] } },
  { id: 'Q1', schema: 'Position', properties: { name: ['Ministro de ejemplo'] } },
  { id: 'a1', schema: 'Address', properties: { full: ['Cali'] } },
  { id: 'NK-f3', schema: 'Person', target: false, properties: { name: ['Pariente Ficticio'] } },
);

describe('FollowTheMoney lines', () => {
  it('are joined to entries; what is no target is counted as skipped', async () => {
    const list = await importText(FTM);
    expect(list).toMatchObject({ format: 'ftm-lines', publishedAt: '2026-03-04T05:06:07.000Z', removed: [] });
    expect(list.entries).toEqual([
      {
        id: 'NK-f1',
        kind: 'person',
        names: [
          { text: 'Ernesto Ficticio', quality: 'primary' },
          { text: 'Ernesto FICTICIO', quality: 'strong' },
          { text: 'Эрнесто Фиктивный', quality: 'strong' },
          { text: 'El Ficticio', quality: 'weak' },
        ],
        birthDates: [{ from: '1962-04-01', to: '1962-04-30', circa: false }],
        countries: ['CO'],
        identifiers: [
          { type: 'CC', country: 'CO', number: '1000000001' },
          { type: 'PA', country: 'CO', number: 'X1' },
        ],
        programmes: ['US-NARCO'],
        role: { title: 'Ministro de ejemplo', until: '2025-08-06' },
      },
      expect.objectContaining({ id: 'NK-f2', identifiers: [{ type: 'NIT', country: 'CO', number: '900000001' }] }),
    ]);
    expect(list.warnings).toEqual([{ code: 'skipped_record', count: 2, examples: ['Address a1', 'Person NK-f3'] }]);
  });

  it('of deltas add, change and remove, alone or after their list', async () => {
    const delta = jsonl(
      { op: 'MOD', entity: { ...COMPANY, properties: { name: ['Ficticia Nueva S.A.S.'] } } },
      { op: 'DEL', entity: { id: 'NK-f1' } },
      { op: 'ADD', entity: { id: 'NK-f4', schema: 'Person', properties: { name: ['Nueva Ficticia'] } } },
    );
    const alone = await importText(delta);
    expect(alone).toMatchObject({ counts: { entries: 2 }, removed: ['NK-f1'] });
    const applied = await importList('auto', [file('entities.ftm.json', FTM), file('delta.json', delta)]);
    expect(applied.entries.map((entry) => entry.names[0]?.text)).toEqual(['Ficticia Nueva S.A.S.', 'Nueva Ficticia']);
    const onlyRemoved = await importText(jsonl({ op: 'DEL', entity: { id: 'NK-f1' } }));
    expect(onlyRemoved).toMatchObject({ entries: [], removed: ['NK-f1'] });
  });

  it('cannot reach what every object has', async () => {
    const line = '{"id":"x","schema":"__proto__","properties":{"name":["Ficticio"],"__proto__":{"alias":["No"]}}}\n';
    const list = await importText(line + jsonl(PERSON), 'ftm-lines');
    expect(list.counts.entries).toBe(1);
    expect(({} as Record<string, unknown>).alias).toBeUndefined();
  });
});

describe('Senzing lines', () => {
  it('are read with names, dates, countries and identifiers', async () => {
    const list = await importText(
      jsonl({
        DATA_SOURCE: 'X',
        RECORD_ID: 'Q1',
        RECORD_TYPE: 'PERSON',
        LAST_CHANGE: '2026-03-04T05:06:07',
        NAMES: [
          { NAME_TYPE: 'ALIAS', NAME_FULL: 'Ernesto F.' },
          { NAME_TYPE: 'PRIMARY', NAME_FIRST: 'Ernesto', NAME_LAST: 'Ficticio' },
        ],
        DATES: [{ DATE_OF_BIRTH: '1962' }, { DATE_OF_DEATH: '2020' }],
        COUNTRIES: [{ NATIONALITY: 'co' }],
        IDENTIFIERS: [
          { PASSPORT_NUMBER: 'X1', PASSPORT_COUNTRY: 'co' },
          { TRUSTED_ID_TYPE: 'WIKIDATA', TRUSTED_ID_NUMBER: 'Q1' },
        ],
      }),
    );
    expect(list.format).toBe('senzing-lines');
    expect(list.entries).toMatchObject([
      {
        id: 'Q1',
        kind: 'person',
        names: [
          { text: 'Ernesto Ficticio', quality: 'primary' },
          { text: 'Ernesto F.', quality: 'strong' },
        ],
        birthDates: [{ from: '1962-01-01', to: '1962-12-31' }],
        countries: ['CO'],
        identifiers: [{ type: 'PA', country: 'CO', number: 'X1' }],
      },
    ]);
  });
});

describe('JSON lines that cannot be trusted', () => {
  it.each([
    ['cut inside its last object', FTM.slice(0, -20), 'truncated', 9],
    ['broken in the middle', FTM.replace('{"id":"s1"', '{"id":s1'), 'malformed', 3],
    ['an array', `[${JSON.stringify(PERSON)}]\n`, 'wrong_format', 1],
    ['pretty-printed', JSON.stringify({ versions: { a: 'b' } }, null, 2), 'wrong_format', 1],
    ['of another kind', '{"a":1}\n', 'wrong_format', 1],
    ['with an unknown operation', jsonl({ op: 'SET', entity: PERSON }), 'malformed', 1],
    ['with an entity without an id', jsonl({ schema: 'Person', properties: {} }), 'wrong_format', 1],
  ])('are refused when they are %s', async (_, content, code, line) => {
    expect(await problemOf(importText(content))).toMatchObject({ code, line });
  });

  it('are refused for a line without an end, with memory bounded', async () => {
    const limits = { limits: { maxRecordCharacters: 1000 } };
    const endless = importText(`{"id":"${'x'.repeat(5000)}`, 'ftm-lines', limits);
    expect(await problemOf(endless)).toMatchObject({ code: 'too_large', line: 1 });
  });
});
