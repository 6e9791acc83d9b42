import { canonicalJson, uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChainedEvent,
  type ChainedTable,
  continuedChain,
  hashChain,
  type ModuleSchema,
  sqlState,
  verifyChain,
} from './index.ts';
import { migrate } from './migrate.ts';

const NOTES: ChainedTable = { schema: 'compliance', table: 'note_event', owner: 'note_id', members: ['from', 'actor'] };

class Notes1700000000002 {
  async up(runner: { query(sql: string): Promise<unknown> }) {
    await runner.query(hashChain(NOTES));
  }
  async down() {}
}
const MODULE: ModuleSchema = { schema: 'compliance', migrations: [Notes1700000000002] };

interface NoteEvent extends ChainedEvent {
  at: string;
  data: unknown;
}

let store: TestDatabase;

beforeAll(async () => {
  store = await testDatabase();
  await migrate(store.owner('compliance'), MODULE);
});
afterAll(async () => store?.drop());

const append = (note: string, event: Record<string, unknown>) =>
  store.query(`select * from compliance.append_note_event($1, $2, $3)`, [uuidv7(), note, JSON.stringify(event)]);

async function chain(note: string): Promise<NoteEvent[]> {
  const rows = await store.query<NoteEvent & { at: Date | string; data: string }>(
    `select seq, type, at, "from", actor, data, prev_hash, hash from compliance.note_event where note_id = $1 order by seq`,
    [note],
  );
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString(), data: JSON.parse(row.data) as unknown }));
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\u0001\u001f\u007f', '"\\/\b\f\n\r\t', '\u2028\u2029', '😀 👩‍👩‍👧 𝒳 𠜎', "'; --", 'ñandú', '\ufeff'),
);
/** PostgreSQL keeps no NUL in a text; in `data` it is an escape like others. */
const storedText = anyText.map((text) => text.replaceAll('\0', ''));
const data = fc.dictionary(anyText, fc.jsonValue({ stringUnit: 'binary' }), { maxKeys: 5 });

describe('a chain of hashes', () => {
  it('has the same hash in PostgreSQL and here, whatever the texts, numbers and names', async () => {
    const note = uuidv7();
    const event = fc.record({
      type: storedText,
      actor: fc.option(storedText),
      from: fc.option(storedText),
      data: data.map(canonicalJson),
    });
    await fc.assert(
      fc.asyncProperty(event, async (one) => void (await append(note, one))),
      { numRuns: 400 },
    );
    const events = await chain(note);
    expect(events.length).toBeGreaterThanOrEqual(400);
    expect(verifyChain(events)).toEqual({ valid: true, head: { seq: events.length, hash: events.at(-1)?.hash } });
  });

  it('begins with 64 zeros and numbers the events of each owner on its own', async () => {
    const [a, b] = [uuidv7(), uuidv7()];
    for (const note of [a, b, a]) await append(note, { type: 'written', data: '{}' });
    const [first, second] = await chain(a);
    expect([first?.seq, first?.prev_hash]).toEqual([1, '0'.repeat(64)]);
    expect([second?.seq, second?.prev_hash]).toEqual([2, first?.hash]);
    expect((await chain(b)).map(({ seq }) => seq)).toEqual([1]);
  });

  it('stays gapless when many append at once', async () => {
    const note = uuidv7();
    await Promise.all(Array.from({ length: 30 }, (_, n) => append(note, { type: 'written', data: `{"n":${n}}` })));
    const events = await chain(note);
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(verifyChain(events).valid).toBe(true);
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).sort());
  });

  it.each([
    'update compliance.note_event set type = type',
    'delete from compliance.note_event',
    'truncate compliance.note_event',
  ])('refuses: %s', async (sql) => {
    await append(uuidv7(), { type: 'written', data: '{}' });
    const refused = await store.query(sql).catch((error: unknown) => sqlState(error));
    expect(refused).toBe('23001');
  });

  it('goes on after its links were moved elsewhere', async () => {
    const [note, other] = [uuidv7(), uuidv7()];
    await store.query('create table compliance.moved_note (note_id uuid, seq int, hash text)');
    await store.query('grant all on compliance.moved_note to compliance_owner');
    await store.query(continuedChain(NOTES, 'select m.seq, m.hash from moved_note m where m.note_id = p_owner'));
    for (const each of [note, note, other]) await append(each, { type: 'written', data: '{}' });
    const moved = await chain(note);
    const head = moved[1] as NoteEvent;
    await store.query('insert into compliance.moved_note values ($1, $2, $3)', [note, head.seq, head.hash]);
    await store.query('alter table compliance.note_event disable trigger user');
    await store.query('delete from compliance.note_event where note_id = $1', [note]);
    await store.query('alter table compliance.note_event enable trigger user');
    for (const each of [note, note, other]) await append(each, { type: 'written', data: '{}' });
    const events = [...moved, ...(await chain(note))];
    expect(verifyChain(events)).toMatchObject({ valid: true, head: { seq: 4 } });
    expect(verifyChain(await chain(other))).toMatchObject({ valid: true, head: { seq: 2 } });
  });

  it('refuses data that are no JSON object', async () => {
    for (const bad of ['', '[]', '{', null]) {
      await expect(append(uuidv7(), { type: 'written', data: bad })).rejects.toThrow();
    }
  });
});
