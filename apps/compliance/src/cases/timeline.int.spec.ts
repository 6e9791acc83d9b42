import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { uuidOf, typeId } from '@constancia/kernel';
import { eventHash, sqlState, verifyChain } from '@constancia/persistence';
import { createLogger } from '@constancia/telemetry';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CaseSweep } from './case-sweep.ts';
import type { CaseEvent } from '../case-records/case-timeline.ts';
import { hashedData } from '../case-records/event-texts.ts';
import { TenantCases, type Workbench, workbench } from './case-workbench.fixture.ts';

let bench: Workbench;
let cases: TenantCases;
let sweep: CaseSweep;

beforeAll(async () => {
  bench = await workbench();
  sweep = new CaseSweep(bench.database, createLogger({ app: 'test', level: 'error' }));
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

/** What only somebody with access to the server can do: the table's triggers are switched off. */
const tampered = (sql: string) =>
  bench.store.query(`begin; set local session_replication_role = replica; ${sql}; commit`);

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** SQL that writes an event over the one with its number. */
function overwrite(caseId: string, event: CaseEvent): string {
  const { seq, type, actor, at, from, to, data, prev_hash, hash } = event;
  const values = [type, actor, at, to, JSON.stringify(data), prev_hash, hash].map(quoted);
  return `update compliance.case_event
    set (type, actor, at, "to", data, prev_hash, hash, "from") =
        (${values[0]}, ${values[1]}, ${values[2]}::timestamptz, ${values.slice(3).join(', ')}, ${from === null ? 'null' : quoted(from)})
    where case_id = '${caseId}' and seq = ${seq}`;
}

/** SQL that makes a chain hold again after a changed event: what a forger with time would do. */
function rewritten(caseId: string, timeline: CaseEvent[], changed: CaseEvent): string {
  const events = timeline.map((event) => ({ ...(event.seq === changed.seq ? changed : event) }));
  events.forEach((event, at) => {
    event.prev_hash = events[at - 1]?.hash ?? event.prev_hash;
    event.hash = eventHash(event);
  });
  const head = events.at(-1) as CaseEvent;
  return [
    ...events.map((event) => overwrite(caseId, event)),
    `update compliance.review_case set head_hash = '${head.hash}' where id = '${caseId}'`,
  ].join('; ');
}

/** Events as the store has them: without their sealed texts. */
const stored = (timeline: CaseEvent[]): CaseEvent[] =>
  timeline.map((event) => ({ ...event, data: hashedData(event.data) as Record<string, unknown> }));

interface Forgery {
  caseId: string;
  otherId: string;
  timeline: CaseEvent[];
  other: CaseEvent[];
}

const at = (timeline: CaseEvent[], seq: number): CaseEvent => timeline[seq - 1] as CaseEvent;
const set =
  (sql: string) =>
  ({ caseId }: Forgery) =>
    `update compliance.case_event set ${sql} where case_id = '${caseId}' and seq = 2`;

/** Every kind of mutation, as SQL. */
const FORGERIES: [string, (forgery: Forgery) => string][] = [
  ['a changed type', set(`type = 'commented'`)],
  ['a changed state', set(`"to" = 'open'`)],
  ['a changed actor', set(`actor = 'bea'`)],
  ['a changed time', set(`at = at - interval '1 day'`)],
  ['changed data', set(`data = '{"assignee":"bea","previous":null}'`)],
  ['a changed text', ({ caseId }) =>
    `update compliance.case_event set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) where case_id = '${caseId}' and seq = 3`],
  ['the text of another case', ({ caseId, other }) =>
    `update compliance.case_event set sealed = (select e.sealed from compliance.case_event e where e.hash = '${at(other, 3).hash}')
      where case_id = '${caseId}' and seq = 3`],
  ['a removed event', ({ caseId }) => `delete from compliance.case_event where case_id = '${caseId}' and seq = 2`],
  ['a removed event, the rest renumbered', ({ caseId }) =>
    `delete from compliance.case_event where case_id = '${caseId}' and seq = 2;
     update compliance.case_event set seq = 2 where case_id = '${caseId}' and seq = 3;
     update compliance.case_event set seq = 3 where case_id = '${caseId}' and seq = 4`],
  ['swapped events', ({ caseId, timeline }) =>
    `${overwrite(caseId, { ...at(timeline, 3), seq: 2 })}; ${overwrite(caseId, { ...at(timeline, 2), seq: 3 })}`],
  ['a changed event with its own hash renewed', ({ caseId, timeline }) => {
    const changed = { ...at(timeline, 2), actor: 'bea' };
    return overwrite(caseId, { ...changed, hash: eventHash(changed) });
  }],
  ['a cut tail, the head of the case set back', ({ caseId, timeline }) =>
    `delete from compliance.case_event where case_id = '${caseId}' and seq = 4;
     update compliance.review_case set head_seq = 3, head_hash = '${at(timeline, 3).hash}' where id = '${caseId}'`],
  ['an event put in at the end, with a right hash', ({ caseId, timeline }) => {
    const last = at(timeline, 4);
    const forged = { ...last, seq: 5, prev_hash: last.hash };
    return `insert into compliance.case_event select tenant_id, case_id, 5, type, at, actor, "from", "to", data, hash, '${eventHash(forged)}'
              from compliance.case_event where case_id = '${caseId}' and seq = 4`;
  }],
  ['a chain written again from a changed event on', ({ caseId, timeline }) =>
    rewritten(caseId, timeline, { ...at(timeline, 2), actor: 'bea' })],
  ['an event of another case', ({ caseId, other }) => overwrite(caseId, at(other, 2))],
  ['the whole timeline of another case, the head with it', ({ caseId, other }) =>
    [...other.map((event) => overwrite(caseId, event)),
      `update compliance.review_case set head_hash = '${at(other, 4).hash}' where id = '${caseId}'`].join('; ')],
]; // prettier-ignore

describe('a timeline that somebody changed in the store', () => {
  const worked = async (): Promise<string> => {
    const id = await cases.open();
    for (const action of ['assign', 'comment', 'escalate'] as const) await cases.act(id, action);
    return id;
  };

  it.each(FORGERIES)('is found: %s', async (_, forge) => {
    const [id, otherId] = [await worked(), await worked()];
    await sweep.run();
    const [mine, theirs] = [(await cases.show(id)).body, (await cases.show(otherId)).body];
    expect([mine.chain_valid, theirs.chain_valid, mine.timeline.length]).toEqual([true, true, 4]);
    const uuids = { caseId: uuidOf('cas', id) as string, otherId: uuidOf('cas', otherId) as string };
    await tampered(forge({ ...uuids, timeline: stored(mine.timeline), other: stored(theirs.timeline) }));
    expect((await cases.show(id)).body.chain_valid).toBe(false);
    expect((await cases.show(otherId)).body.chain_valid).toBe(true);
  });

  it.each(['update compliance.case_event set actor = actor', 'delete from compliance.case_event',
    'truncate compliance.case_event', 'delete from compliance.case_journal', 'update compliance.case_anchor set seq = seq'])(
    'cannot be: %s is refused, to a superuser too',
    async (sql) => {
      await cases.open();
      await sweep.run();
      expect(await bench.store.query(sql).catch((error: unknown) => sqlState(error))).toBe('23001');
    },
  ); // prettier-ignore

  it('is not written by the app but through the function: it may only read the table', async () => {
    const sql = `insert into compliance.case_event (tenant_id, case_id, seq, type, at, data, prev_hash, hash)
      values ($1, $1, 1, 'x', now(), '{}', repeat('0', 64), repeat('0', 64))`;
    const refused = await bench.database
      .tenant(cases.tenant.id, (tx) => tx.query(sql, [cases.tenant.id]))
      .catch(sqlState);
    expect(refused).toBe('42501');
  });
});

describe('the sweep', () => {
  const late = (id: string) =>
    bench.store.query(`update compliance.review_case set due_at = now() - interval '1 minute' where id = $1`, [
      uuidOf('cas', id),
    ]);

  it('notes once in the timeline that a case is overdue, however many sweep', async () => {
    const id = await cases.openIn('in_review');
    const resolved = await cases.openIn('resolved');
    await Promise.all([late(id), late(resolved)]);
    await Promise.all([sweep.run(), sweep.run(), sweep.run()]);
    await sweep.run();
    const { body } = await cases.show(id);
    expect(body.timeline.filter(({ type }) => type === 'sla_breached')).toMatchObject([
      { actor: 'system', from: 'in_review', to: 'in_review', data: { due_at: body.due_at } },
    ]);
    expect(body).toMatchObject({ overdue: true, chain_valid: true, status: 'in_review' });
    expect((await cases.show(resolved)).body).toMatchObject({ overdue: false, sla_breached_at: null });
    expect((await cases.get<{ sla_breaches: number }>('/v1/cases/stats')).body.sla_breaches).toBe(1);
  });

  it("keeps the heads of timelines in the tenant's journal, which is a chain itself", async () => {
    const id = await cases.openIn('in_review');
    await sweep.run();
    await cases.act(id, 'comment');
    await Promise.all([sweep.run(), sweep.run()]);
    const rows = await bench.store.query<{ data: string; at: Date; seq: number; prev_hash: string; hash: string }>(
      `select seq, type, at, actor, data, prev_hash, hash from compliance.case_journal where tenant_id = $1 order by seq`,
      [cases.tenant.id],
    );
    const events = rows.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      data: JSON.parse(row.data) as { heads: object[] },
    }));
    expect(verifyChain(events).valid).toBe(true);
    const { timeline } = (await cases.show(id)).body;
    const heads = events.flatMap(({ data }) => data.heads);
    expect(heads).toEqual([2, 3].map((seq) => ({ case_id: uuidOf('cas', id), seq, hash: at(timeline, seq).hash })));
    expect(typeId('cas', uuidOf('cas', id) as string)).toBe(id);
  });
});

describe('docs/guides/verify-timeline.md', () => {
  const GUIDE = path.join(import.meta.dirname, '../../../../docs/guides/verify-timeline.md');

  it('has a program that a third party checks a timeline with: it accepts ours, and not a changed one', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'timeline-'));
    const [, program] = /^```js\n([\s\S]*?)^```$/m.exec(fs.readFileSync(GUIDE, 'utf8')) as unknown as [string, string];
    fs.writeFileSync(path.join(folder, 'verify-timeline.mjs'), program);
    const run = (file: string) => [path.join(folder, 'verify-timeline.mjs'), path.join(folder, file)];
    const id = await cases.open();
    await cases.act(id, 'comment', { body: 'Ñandú "😀" \u2028\n\t\u0001 𝒳 </script>' });
    const { text } = await cases.act(id, 'resolve');
    fs.writeFileSync(path.join(folder, 'case.json'), text);
    const said = execFileSync(process.execPath, run('case.json'), { encoding: 'utf8' });
    expect(said).toMatch(/^valid, 3 events, head [0-9a-f]{64}\n$/);
    fs.writeFileSync(path.join(folder, 'changed.json'), text.replace('Ñandú', 'Nandu'));
    expect(spawnSync(process.execPath, run('changed.json')).status).toBe(1);
    fs.rmSync(folder, { recursive: true });
  });
});
