import { uuidOf } from '@constancia/kernel';
import { sqlState } from '@constancia/persistence';
import { createLogger } from '@constancia/telemetry';
import { testMember, type TestMember, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CaseSweep } from './case-sweep.ts';
import { TenantCases, type Workbench, workbench } from './case-workbench.fixture.ts';

let bench: Workbench;
let cases: TenantCases;
let sweep: CaseSweep;
let ana: TestMember;
let berta: TestMember;

beforeAll(async () => {
  bench = await workbench();
  sweep = new CaseSweep(bench.database, createLogger({ app: 'test', level: 'error' }));
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
  ana = await testMember(bench.store, cases.tenant.id, 'analyst', { name: 'Ana Ruiz' });
  berta = await testMember(bench.store, cases.tenant.id, 'supervisor', { name: 'Berta Paz' });
});
afterAll(async () => bench?.close());

/** What the members of the tenant were notified of, and mailed: `name: kind, by mail`. */
async function notified(id: string, tenantId = cases.tenant.id): Promise<string[]> {
  const rows = await bench.store.query<{ line: string }>(
    `select m.name || ': ' || n.kind || case when n.in_console then '' else ', hidden' end
            || repeat(', by mail', (select count(*) from platform.member_mail w
                                     where w.member_id = m.id and w.kind = n.kind and w.detail = n.ref_id::text)::int) as line
       from platform.member_notification n join platform.member m on m.id = n.member_id
      where n.tenant_id = $1 and n.ref_id = $2 order by n.id`,
    [tenantId, uuidOf('cas', id)],
  );
  return rows.map((row) => row.line);
}
const assign = (id: string, assignee: string | null, as: { member?: string } = {}) =>
  bench.compliance.call(`/v1/cases/${id}/assign`, {
    method: 'POST',
    body: { assignee },
    ...(as.member ? as : { key: cases.tenant.apiKey }),
  });
const due = (id: string, from: string) =>
  bench.store.query(`update compliance.review_case set due_at = now() + $2::interval where id = $1`, [
    uuidOf('cas', id),
    from,
  ]);
const sweepTwice = async () => {
  await Promise.all([sweep.run(), sweep.run()]);
  await sweep.run();
};

describe('the assignee of a case', () => {
  it('is notified once of an assignment, again of the next one, and never of their own', async () => {
    const id = await cases.open();
    await assign(id, 'Ana Ruiz');
    await assign(id, 'Ana Ruiz');
    expect(await notified(id)).toEqual(['Ana Ruiz: case_assigned, by mail']);
    await assign(id, 'Berta Paz', { member: berta.token });
    expect(await notified(id)).toHaveLength(1);
    const assignments = { case_ids: [id], assignee: 'Ana Ruiz' };
    await bench.compliance.call('/v1/cases/assignments', { body: assignments, key: cases.tenant.apiKey });
    expect((await notified(id)).map((line) => line.split(',')[0])).toEqual([
      'Ana Ruiz: case_assigned',
      'Ana Ruiz: case_assigned',
    ]);
  });

  it('is a member who works on cases: nobody else of that name, and nobody of another tenant', async () => {
    const other = await testTenant(bench.store);
    await testMember(bench.store, other.id, 'analyst', { name: 'Ana Ruiz' });
    const sender = await testMember(bench.store, cases.tenant.id, 'sender', { name: 'Ana Ruiz' });
    const gone = await testMember(bench.store, cases.tenant.id, 'analyst', { name: 'Ana Ruiz' });
    await bench.store.query(`update platform.member set status = 'suspended' where id = $1`, [gone.id]);
    const id = await cases.open();
    await assign(id, 'Ana Ruiz');
    await assign(id, 'core-banking');
    expect(await notified(id)).toEqual(['Ana Ruiz: case_assigned, by mail']);
    expect(await notified(id, other.id)).toEqual([]);
    const [row] = await bench.store.query('select member_id from platform.member_notification where member_id = $1', [
      sender.id,
    ]);
    expect(row).toBeUndefined();
  });

  it('gets what they have not switched off, and nothing when they have switched off both', async () => {
    const off = (mail: string, console: string) =>
      bench.store.query(
        `insert into platform.notification_settings (member_id, tenant_id, mail_off, console_off) values ($1, $2, $3, $4)
         on conflict (member_id) do update set mail_off = excluded.mail_off, console_off = excluded.console_off`,
        [ana.id, cases.tenant.id, mail, console],
      );
    const [first, second, third] = [await cases.open(), await cases.open(), await cases.open()];
    await off('{case_assigned}', '{case_overdue}');
    await assign(first, 'Ana Ruiz');
    await off('{}', '{case_assigned}');
    await assign(second, 'Ana Ruiz');
    await off('{case_assigned}', '{case_assigned}');
    await assign(third, 'Ana Ruiz');
    expect([await notified(first), await notified(second), await notified(third)]).toEqual([
      ['Ana Ruiz: case_assigned'],
      ['Ana Ruiz: case_assigned, hidden, by mail'],
      [],
    ]);
  });

  it('gets 20 mails of one kind within an hour, and the rest in the console alone', async () => {
    const notify = `select platform_v1.notify_of_case($1, 'case_assigned', $2, nth::text, 'Ana Ruiz', null) from generate_series(1, 25) nth`;
    const id = await cases.open();
    await bench.database.tenant(cases.tenant.id, (tx) => tx.query(notify, [cases.tenant.id, uuidOf('cas', id)]));
    const [counted] = await bench.store.query(
      `select (select count(*)::int from platform.member_notification where member_id = $1) as notified,
              (select count(*)::int from platform.member_mail where member_id = $1) as mailed`,
      [ana.id],
    );
    expect(counted).toEqual({ notified: 25, mailed: 20 });
  });
});

describe('a case that nobody resolves', () => {
  it('notifies its assignee once when it is due soon, however many sweep, and again for another due date', async () => {
    const [id, early, unassigned] = [
      await cases.open({ score: 10 }), // low: 120 hours
      await cases.open({ score: 10 }),
      await cases.open({ score: 10 }),
    ];
    await assign(id, 'Ana Ruiz');
    await assign(early, 'Ana Ruiz');
    await Promise.all([due(id, '29 hours'), due(early, '31 hours'), due(unassigned, '1 hour')]);
    await sweepTwice();
    const soon = 'Ana Ruiz: case_due_soon, by mail';
    expect([await notified(id), await notified(early), await notified(unassigned)]).toEqual([
      ['Ana Ruiz: case_assigned, by mail', soon],
      ['Ana Ruiz: case_assigned, by mail'],
      [],
    ]);
    await due(id, '1 hour');
    await sweepTwice();
    expect((await notified(id)).filter((line) => line.includes('due_soon'))).toHaveLength(2);
  });

  it('notifies once when it is overdue: its assignee, or the supervisors when no member has it', async () => {
    const [id, unassigned, resolved] = [await cases.open(), await cases.open(), await cases.openIn('resolved')];
    await assign(id, 'Ana Ruiz');
    await Promise.all([id, unassigned, resolved].map((each) => due(each, '-1 minute')));
    await sweepTwice();
    expect([await notified(id), await notified(unassigned), await notified(resolved)]).toEqual([
      ['Ana Ruiz: case_assigned, by mail', 'Ana Ruiz: case_overdue, by mail'],
      ['Berta Paz: case_overdue, by mail'],
      [],
    ]);
    expect((await cases.show(id)).body.chain_valid).toBe(true);
  });

  it('notifies the supervisors when it is escalated; owners and admins while there is none', async () => {
    const [first, second] = [await cases.open(), await cases.open()];
    await cases.act(first, 'escalate');
    await bench.store.query(`update platform.member set status = 'suspended' where id = $1`, [berta.id]);
    await testMember(bench.store, cases.tenant.id, 'admin', { name: 'Dora Gil' });
    await cases.act(second, 'escalate');
    expect(await notified(first)).toEqual(['Berta Paz: case_escalated, by mail']);
    expect(await notified(second)).toContain('Dora Gil: case_escalated, by mail');
    expect((await notified(second)).join()).not.toContain('Berta');
  });
});

describe('a decision that waits for a second person', () => {
  const propose = (id: string, as: { member: string }) =>
    bench.compliance.call(`/v1/cases/${id}/resolve`, {
      ...as,
      body: { decision: 'approve', reason: 'Another birth date.' },
    });
  beforeEach(() => cases.fourEyes('all'));

  it('notifies the supervisors each time that one is proposed, and nobody of what was decided by one', async () => {
    const id = await cases.open();
    await propose(id, { member: ana.token });
    const waits = 'Berta Paz: case_awaiting_approval, by mail';
    expect(await notified(id)).toEqual([waits]);
    await bench.compliance.call(`/v1/cases/${id}/return`, {
      member: berta.token,
      body: { reason: 'The source of funds is missing.' },
    });
    await propose(id, { member: ana.token });
    expect((await notified(id)).map((line) => line.split(',')[0])).toEqual(Array(2).fill(waits.split(',')[0]));
    await cases.fourEyes('off');
    const alone = await cases.open();
    await propose(alone, { member: ana.token });
    expect(await notified(alone)).toEqual([]);
  });

  it('never notifies who proposed it: another supervisor, also of the same name, or owners and admins while there is none', async () => {
    await testMember(bench.store, cases.tenant.id, 'admin', { name: 'Dora Gil' });
    await testMember(bench.store, cases.tenant.id, 'auditor', { name: 'Elsa Rey' });
    const others = ['owner', 'Dora Gil'].map((name) => `${name}: case_awaiting_approval, by mail`);
    const [first, second, byKey] = [await cases.open(), await cases.open(), await cases.open()];
    await propose(first, { member: berta.token });
    expect(await notified(first)).toEqual(others);
    await testMember(bench.store, cases.tenant.id, 'supervisor', { name: 'Berta Paz' });
    await propose(second, { member: berta.token });
    expect(await notified(second)).toHaveLength(1);
    expect((await notified(second))[0]).toContain('Berta Paz: case_awaiting_approval');
    await cases.act(byKey, 'resolve', undefined, { actor: 'Berta Paz' });
    expect(await notified(byKey)).toEqual(others);
  });

  it('notifies nobody who has switched it off, and a refused proposal notifies nobody', async () => {
    await bench.store.query(
      `insert into platform.notification_settings (member_id, tenant_id, mail_off, console_off)
       values ($1, $2, '{case_awaiting_approval}', '{case_awaiting_approval}')`,
      [berta.id, cases.tenant.id],
    );
    const id = await cases.open();
    await propose(id, { member: ana.token });
    expect(await notified(id)).toEqual([]);
    await bench.store.query('delete from platform.notification_settings where member_id = $1', [berta.id]);
    expect((await propose(id, { member: ana.token })).status).toBe(409);
    expect(await notified(id)).toEqual([]);
  });
});

describe('a notification of a case', () => {
  /** The kinds that are not settled yet. */
  const open = async (id: string): Promise<string[]> => {
    const rows = await bench.store.query<{ kind: string }>(
      'select distinct kind from platform.member_notification where ref_id = $1 and settled_at is null order by kind',
      [uuidOf('cas', id)],
    );
    return rows.map(({ kind }) => kind);
  };
  const act = (id: string, action: string, { token }: TestMember, body?: object) =>
    bench.compliance.call(`/v1/cases/${id}/${action}`, { method: 'POST', member: token, body });

  it('that waits for a second person is settled once it is confirmed, returned or withdrawn, in this case alone', async () => {
    await cases.fourEyes('all');
    const [confirmed, returned, withdrawn, waiting] = [
      ...[await cases.open(), await cases.open(), await cases.open(), await cases.open()],
    ] as [string, string, string, string];
    const decision = { decision: 'approve', reason: 'Another birth date.' };
    for (const id of [confirmed, returned, withdrawn, waiting]) await act(id, 'resolve', ana, decision);
    await act(confirmed, 'confirm', berta);
    await act(returned, 'return', berta, { reason: 'The source of funds is missing.' });
    await act(withdrawn, 'withdraw', ana);
    const states = await Promise.all([confirmed, returned, withdrawn, waiting].map(open));
    expect(states).toEqual([[], [], [], ['case_awaiting_approval']]);
    await act(returned, 'resolve', ana, decision);
    expect(await open(returned)).toEqual(['case_awaiting_approval']);
  });

  it('is settled when the case is decided, and not before', async () => {
    const id = await cases.open();
    await assign(id, 'Ana Ruiz');
    await cases.act(id, 'escalate');
    await due(id, '-1 minute');
    await sweepTwice();
    await cases.act(id, 'comment');
    expect(await open(id)).toEqual(['case_assigned', 'case_escalated', 'case_overdue']);
    await cases.act(id, 'resolve');
    expect(await open(id)).toEqual([]);
  });
});

it('a second person is notified for the transaction’s tenant alone, and of what waits for one', async () => {
  const notify = (kind: string, inside?: string) => {
    const sql = 'select platform_v1.notify_second_persons($1, $2, $3, $4, null, null, null)';
    const values = [cases.tenant.id, kind, uuidOf('cas', 'cas_01jd8x5tq2e5kvh3n0m9c7wz4r'), '1'];
    const done = inside
      ? bench.database.tenant(inside, (tx) => tx.query(sql, values))
      : bench.database.query(sql, values);
    return done.then(() => 'done', sqlState);
  };
  const other = await testTenant(bench.store);
  expect(await notify('case_awaiting_approval', cases.tenant.id)).toBe('done');
  expect(await notify('case_awaiting_approval', other.id)).toBe('CN403');
  expect(await notify('case_awaiting_approval')).toBe('CN403');
  expect(await notify('case_assigned', cases.tenant.id)).toBe('22023');
});

it('members are notified for the transaction’s tenant alone, by compliance, of what concerns cases', async () => {
  const other = await testTenant(bench.store);
  const notify = (tenantId: string, kind: string, inside?: string) => {
    const sql = 'select platform_v1.notify_of_case($1, $2, $3, $4, $5, null)';
    const values = [tenantId, kind, uuidOf('cas', 'cas_01jd8x5tq2e5kvh3n0m9c7wz4r'), '1', 'Ana Ruiz'];
    const done = inside
      ? bench.database.tenant(inside, (tx) => tx.query(sql, values))
      : bench.database.query(sql, values);
    return done.then(() => 'done', sqlState);
  };
  expect(await notify(cases.tenant.id, 'case_assigned', cases.tenant.id)).toBe('done');
  expect(await notify(other.id, 'case_assigned', cases.tenant.id)).toBe('CN403');
  expect(await notify(cases.tenant.id, 'case_assigned')).toBe('CN403');
  expect(await notify(cases.tenant.id, 'balance_low', cases.tenant.id)).toBe('22023');
});
