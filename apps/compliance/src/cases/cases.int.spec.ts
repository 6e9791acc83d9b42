import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import { createLogger } from '@constancia/telemetry';
import { testMember } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashedData } from '../case-records/event-texts.ts';
import { allowedActions, CASE_ACTIONS, CASE_STATUSES, transitionOf } from '../case-records/case-states.ts';
import type { CaseAssignmentList } from '../case-queue/assign-cases.ts';
import type { CaseView } from './case-view.ts';
import { NameWordsSweep } from '../case-queue/name-words-sweep.ts';
import { noticedScreening, personalData } from './cases.fixture.ts';
import { BODIES, TenantCases, type Workbench, workbench } from './case-workbench.fixture.ts';

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

const types = (timeline: { type: string }[]): string[] => timeline.map(({ type }) => type);
const pairs = CASE_STATUSES.flatMap((status) => CASE_ACTIONS.map((action) => [status, action] as const));

describe('the states of a case', () => {
  it.each(pairs)('%s: %s does what the table says, or is 409 with the allowed actions', async (status, action) => {
    const id = await cases.openIn(status);
    const before = (await cases.show(id)).body;
    expect(before.status).toBe(status);
    const { status: code, body } = await cases.act(id, action, BODIES[action], {
      actor: action === 'withdraw' ? 'ana' : 'bea', // who proposed, or the second person
    });
    const transition = transitionOf(status, action);
    const after = (await cases.show(id)).body;
    if (transition && action === 'attach') {
      expect([code, after.status, after.etag === before.etag]).toEqual([201, transition.to, false]);
    } else if (transition) {
      expect([code, after.status]).toEqual([200, transition.to]);
      const { allowed_actions: _, ...others } = body; // of the state; what is shown is of the caller
      expect(after).toMatchObject(others);
    } else {
      expect([code, body.allowed_actions]).toEqual([409, allowedActions(status)]);
      expect(after).toEqual(before);
    }
    expect(after.chain_valid).toBe(true);
  });

  it('are kept with their history: every step in the timeline, with who, from and to', async () => {
    const id = await cases.open();
    await cases.act(id, 'assign', { assignee: 'Ñusta Ríos' });
    await cases.act(id, 'assign', { assignee: 'bea' });
    await cases.act(id, 'assign', { assignee: 'bea' });
    await cases.act(id, 'assign', { assignee: null });
    await cases.act(id, 'escalate');
    await cases.act(id, 'resolve', BODIES.resolve, { actor: Buffer.from('José').toString('latin1') });
    const { body } = await cases.act(id, 'reopen');
    expect(types(body.timeline)).toEqual([
      'opened', 'assigned', 'assigned', 'unassigned', 'escalated', 'resolved', 'reopened',
    ]); // prettier-ignore
    expect(body.timeline[2]).toMatchObject({ data: { assignee: 'bea', previous: 'Ñusta Ríos' } });
    expect(body.timeline[5]).toMatchObject({ actor: 'José', from: 'escalated', to: 'resolved', seq: 6 });
    expect(body).toMatchObject({ status: 'open', reopened_count: 1, resolution: null, chain_valid: true });
    const hashed = body.timeline.map((event) => ({ ...event, data: hashedData(event.data) }));
    expect(verifyChain(hashed).valid).toBe(true);
  });

  it('escalation makes a case more urgent and due sooner', async () => {
    const id = await cases.open({ score: 10 });
    const before = (await cases.show(id)).body;
    const { body } = await cases.act(id, 'escalate');
    expect([before.priority, body.priority]).toEqual(['low', 'medium']);
    expect(Date.parse(body.due_at)).toBeLessThan(Date.parse(before.due_at));
    expect(body.escalated_at).not.toBeNull();
  });

  it('escalation of a case of the highest priority does not make it due later', async () => {
    const id = await cases.open();
    const due = new Date(Date.now() - 3_600_000).toISOString();
    await bench.store.query(`update compliance.review_case set priority = 'critical', due_at = $2 where id = $1`, [
      uuidOf('cas', id),
      due,
    ]);
    const { body } = await cases.act(id, 'escalate');
    expect(body).toMatchObject({ priority: 'critical', due_at: due });
  });

  it("names the key's prefix where X-Actor is missing, and refuses one that is no name", async () => {
    const id = await cases.open();
    const { body } = await bench.compliance.call<{ timeline: { actor: string }[] }>(`/v1/cases/${id}/comment`, {
      key: cases.tenant.apiKey,
      body: BODIES.comment,
    });
    expect(cases.tenant.apiKey.startsWith(body.timeline[1]?.actor as string)).toBe(true);
    const long = await cases.act(id, 'comment', BODIES.comment, { actor: 'a'.repeat(129) });
    expect([long.status, JSON.stringify(long.body)]).toEqual([400, expect.stringContaining('/headers/X-Actor')]);
    expect((await cases.act(id, 'comment', BODIES.comment, { actor: 'a'.repeat(128) })).status).toBe(200);
  });

  it('refuses bad bodies with every fault at once', async () => {
    const id = await cases.open();
    const bad = await cases.act(id, 'resolve', { decision: 'maybe', reason: ' ', more: 1, hits: [{ list: 'X' }] });
    expect(bad.status).toBe(400);
    const { errors } = bad.body as unknown as { errors: { pointer: string }[] };
    expect([...new Set(errors.map(({ pointer }) => pointer))]).toEqual([
      '/decision', '/hits/0/entry_id', '/hits/0/list', '/more', '/reason',
    ]); // prettier-ignore
    for (const body of [{}, { body: '' }, { body: 'x'.repeat(4001) }]) {
      expect((await cases.act(id, 'comment', body)).status).toBe(400);
    }
    expect((await cases.act(id, 'comment', { body: 'x'.repeat(4000) })).status).toBe(200);
    expect((await cases.act(id, 'assign', {})).status).toBe(400);
  });
});

describe('two people at once', () => {
  it('resolve a case: one gets 200, the other 409 with the allowed actions', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await cases.open();
      const answers = await Promise.all(
        ['ana', 'bea'].map((actor) => cases.act(id, 'resolve', BODIES.resolve, { actor })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.allowed_actions).toEqual(['reopen']);
      expect(types((await cases.show(id)).body.timeline)).toEqual(['opened', 'resolved']);
    }
  });

  it('comment: both are kept, in one chain', async () => {
    const id = await cases.open();
    await Promise.all(Array.from({ length: 10 }, () => cases.act(id, 'comment')));
    const { body } = await cases.show(id);
    expect([body.timeline.length, body.chain_valid]).toEqual([11, true]);
  });

  it('are distinguished by If-Match: a stale ETag is 409', async () => {
    const id = await cases.open();
    const etag = (await cases.show(id)).headers.get('etag') as string;
    const first = await cases.act(id, 'assign', BODIES.assign, { 'if-match': etag });
    expect(first.status).toBe(200);
    const stale = await cases.act(id, 'comment', BODIES.comment, { 'if-match': etag });
    expect([stale.status, stale.body.allowed_actions]).toEqual([409, allowedActions('in_review')]);
    const next = first.headers.get('etag') as string;
    expect((await cases.act(id, 'comment', BODIES.comment, { 'if-match': `"other", ${next}` })).status).toBe(200);
    expect((await cases.act(id, 'comment', BODIES.comment, { 'if-match': '*' })).status).toBe(200);
  });

  it('wait for each other for a moment; a case that is held for longer is 409 with Retry-After, and nothing changes', async () => {
    const id = await cases.open();
    const [answer] = await bench.database.tenant(cases.tenant.id, async (tx) => {
      await tx.query('select 1 from compliance.review_case where id = $1 for update', [uuidOf('cas', id)]);
      return Promise.all([cases.act(id, 'comment')]);
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '1']);
    expect(answer.body).toMatchObject({
      type: expect.stringMatching(/\/conflict$/),
      detail: expect.stringMatching(/this case/),
    });
    expect(types((await cases.show(id)).body.timeline)).toEqual(['opened']);
  });

  it('cannot have two open cases of one subject: reopening beside a newer one is 409', async () => {
    const screening = noticedScreening();
    const id = await cases.open(screening);
    await cases.act(id, 'resolve');
    await cases.open(screening);
    expect((await cases.act(id, 'reopen')).status).toBe(409);
  });
});

describe('many cases assigned at once', () => {
  const assign = (body: object, credential: object = { key: cases.tenant.apiKey, headers: { 'x-actor': 'ana' } }) =>
    bench.compliance.call<CaseAssignmentList>('/v1/cases/assignments', { body, ...credential });

  it('are assigned each by itself, as one alone would be; what is refused says why and stops nothing', async () => {
    const [open, escalated, resolved] = [await cases.open(), await cases.openIn('escalated'), await cases.openIn('resolved')]; // prettier-ignore
    const foreign = await (await TenantCases.of(bench)).open();
    const case_ids = [open, foreign, resolved, 'cas_nonsense', escalated];
    const { status, body } = await assign({ case_ids, assignee: ' bea ' });
    expect([status, body.data.map((each) => [each.case_id, each.status, each.problem, each.changed])]).toEqual([
      200,
      [
        [open, 200, null, true],
        [foreign, 404, 'not-found', false],
        [resolved, 409, 'state-conflict', false],
        ['cas_nonsense', 404, 'not-found', false],
        [escalated, 200, null, true],
      ],
    ]);
    expect(body.data[1]?.detail).toBe(body.data[3]?.detail);
    const after = (await cases.show(open)).body;
    expect(after).toMatchObject({ assignee: 'bea', status: 'in_review', etag: body.data[0]?.etag, chain_valid: true });
    expect(after.timeline.at(-1)).toMatchObject({ type: 'assigned', actor: 'ana', data: { assignee: 'bea' } });
    expect((await cases.show(escalated)).body).toMatchObject({ assignee: 'bea', status: 'escalated' });
    const again = (await assign({ case_ids, assignee: 'bea' })).body.data.map((each) => [each.status, each.changed]);
    expect(again).toEqual([[200, false], [404, false], [409, false], [404, false], [200, false]]); // prettier-ignore
    expect(types((await cases.show(open)).body.timeline)).toEqual(['opened', 'assigned']);
    await assign({ case_ids: [open], assignee: null });
    expect((await cases.show(open)).body.assignee).toBeNull();
  });

  it('are left alone where somebody changed them since', async () => {
    const ids = [await cases.open(), await cases.open()];
    const etags = await Promise.all(ids.map(async (id) => (await cases.show(id)).body.etag));
    await cases.act(ids[0] as string, 'comment');
    const { body } = await assign({ case_ids: ids, etags, assignee: 'bea' });
    expect(body.data.map(({ status, problem }) => [status, problem])).toEqual([[409, 'state-conflict'], [200, null]]); // prettier-ignore
    const listed = (await cases.get<{ data: CaseView[] }>('/v1/cases')).body.data;
    expect(listed.map(({ id, assignee, etag }) => [id, assignee, etag])).toEqual([
      [ids[1], 'bea', body.data[1]?.etag],
      [ids[0], null, '"v3"'],
    ]);
  });

  it('are one to a hundred different ones, and a member acts under their own name, if the role may', async () => {
    const id = await cases.open();
    for (const body of [
      { case_ids: [], assignee: 'a' },
      { case_ids: [id, id], assignee: 'a' },
      { case_ids: Array.from({ length: 101 }, () => typeId('cas', uuidv7())), assignee: 'a' },
      { case_ids: [id] },
      { case_ids: [id], assignee: ' ' },
      { case_ids: [id], assignee: 'a', etags: [] },
    ]) {
      expect((await assign(body)).status).toBe(400);
    }
    const member = async (role: 'analyst' | 'auditor') => (await testMember(bench.store, cases.tenant.id, role)).token;
    expect((await assign({ case_ids: [id], assignee: 'a' }, { member: await member('auditor') })).status).toBe(403);
    expect((await assign({ case_ids: [id], assignee: 'a' }, { member: await member('analyst') })).status).toBe(200);
    expect((await cases.show(id)).body.timeline.at(-1)).toMatchObject({ actor: 'Member analyst' });
  });
});

describe('the list of cases', () => {
  const list = (query: string) => cases.get<{ data: CaseView[]; next_cursor: string | null }>(`/v1/cases?${query}`);

  it('is paged, newest first, stable while cases are opened', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await cases.open());
    const first = (await list('limit=2')).body;
    await cases.open();
    const second = (await list(`limit=2&cursor=${first.next_cursor}`)).body;
    const third = (await list(`limit=2&cursor=${second.next_cursor}`)).body;
    const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
    expect([seen, third.next_cursor]).toEqual([ids, null]);
  });

  it('is filtered by state, assignee, subject, priority and lateness', async () => {
    const screening = noticedScreening({ score: 10 });
    const a = await cases.open(screening);
    const b = await cases.openIn('in_review', { score: 100 });
    const c = await cases.openIn('resolved', { score: 50 });
    await bench.store.query(
      `update compliance.review_case set due_at = now() - interval '1 hour' where tenant_id = $1`,
      [cases.tenant.id],
    );
    await bench.store.query(
      `update compliance.review_case set due_at = now() + interval '1 hour' where subject_ref = $1`,
      [screening.subjectRef],
    );
    const ids = async (query: string) => (await list(query)).body.data.map(({ id }) => id);
    expect(await ids('status=open')).toEqual([a]);
    expect(await ids('assignee=ana')).toEqual([b]);
    expect(await ids(`subject_ref=${screening.subjectRef}`)).toEqual([a]);
    expect(await ids('priority=medium')).toEqual([c]);
    expect(await ids('overdue=true')).toEqual([b]);
    expect(await ids('overdue=false')).toEqual([c, a]);
    expect((await list('status=closed&overdue=maybe&limit=101&cursor=!')).status).toBe(400);
    expect((await list('cursor=WzFd')).status).toBe(400);
  });

  it('is filtered by list, due date and the day of opening, each row with the name of the subject', async () => {
    const opened = (at: string, others: object = {}) => cases.open({ at: new Date(at), ...others });
    const a = await opened('2026-03-01T04:59:59.999Z', { listHits: ['ONU', 'PEP'] }); // 28 February in Bogota
    const b = await opened('2026-03-01T05:00:00.000Z', { listHits: ['OFAC'], subject: {} });
    const c = await opened('2026-03-02T12:00:00.000Z', { listHits: ['PEP'], decision: 'reject', score: 100 });
    const ids = async (query: string) => (await list(query)).body.data.map(({ id }) => id);
    expect(await ids('list=PEP')).toEqual([c, a]);
    expect(await ids('list=PEP&to=2026-02-28')).toEqual([a]);
    expect(await ids('from=2026-03-01')).toEqual([c, b]);
    expect(await ids('from=2026-03-01&to=2026-03-01')).toEqual([b]);
    const due = (await cases.show(c)).body.due_at;
    expect(await ids(`due_before=${due}&from=2026-03-01`)).not.toContain(c);
    const after = new Date(Date.parse(due) + 1).toISOString();
    expect(await ids(`due_before=${after}`)).toContain(c);
    await cases.act(c, 'resolve', { ...BODIES.resolve, discriminating_data: ['birth_date'] });
    expect(await ids(`due_before=${after}`)).not.toContain(c);
    const names = (await list('')).body.data.map(({ id, subject_name }) => [id, subject_name]);
    expect(names).toEqual([[c, 'Rosa Ejemplo Prueba'], [b, null], [a, 'Rosa Ejemplo Prueba']]); // prettier-ignore
    for (const query of ['from=2026-03-02&to=2026-03-01', 'due_before=soon', 'list=NONE', `q=${'x'.repeat(201)}`]) {
      expect((await list(query)).status).toBe(400);
    }
  });

  it('finds a case by its id, its reference, and words of the name however they are written', async () => {
    const screening = noticedScreening({ subject: { full_name: 'José Ñáñez-Ejemplar  de la Invención' } });
    const id = await cases.open(screening);
    await cases.open();
    const found = async (q: string) => {
      return (await list(`q=${encodeURIComponent(q)}`)).body.data.map((each) => each.id);
    };
    for (const q of [id, screening.subjectRef, 'josé', 'NANEZ jose', 'invencion, La', ' Ejemplar ']) {
      expect([q, await found(q)]).toEqual([q, [id]]);
    }
    for (const q of ['Rosa José', 'Jos', typeId('cas', uuidv7()), '—']) expect([q, await found(q)]).toEqual([q, []]);
    expect((await list(`q=jose&status=resolved`)).body.data).toEqual([]);
    const other = await TenantCases.of(bench);
    expect((await other.get<{ data: unknown[] }>('/v1/cases?q=jose')).body.data).toEqual([]);
    // A later screening with another name replaces the words.
    await cases.open({ ...screening, subject: { full_name: 'Rebautizada Ficticia' } });
    expect([await found('jose'), await found('rebautizada')]).toEqual([[], [id]]);
  });

  it('finds cases of the release before once the sweep came by, and an erased person no more', async () => {
    const screening = noticedScreening({ subject: { full_name: 'Ausente Inventada' } });
    const id = await cases.open(screening);
    const words = async () => {
      const sql = `select (select count(*) from compliance.case_term t where t.case_id = c.id) as terms, name_words as words
                     from compliance.review_case c where id = $1`;
      const [row] = await bench.store.query<{ terms: number; words: string[] | null }>(sql, [uuidOf('cas', id)]);
      return [Number(row?.terms), row?.words?.length];
    };
    await bench.store.query('update compliance.review_case set name_words = null where id = $1', [uuidOf('cas', id)]);
    const found = async () => (await list('q=ausente')).body.data.map((each) => each.id);
    expect(await found()).toEqual([]);
    const logger = createLogger({ app: 'test', level: 'error' });
    await new NameWordsSweep(bench.database, await personalData(bench.database), logger).run();
    expect([await found(), await words()]).toEqual([[id], [3, 2]]);
    await bench.compliance.call('/v1/erasures', {
      key: cases.tenant.apiKey,
      body: { subject_ref: screening.subjectRef },
    });
    expect([await found(), await words()]).toEqual([[], [0, undefined]]);
  });

  it("knows no other tenant's cases, under any path", async () => {
    const id = await cases.open();
    const other = await TenantCases.of(bench);
    expect((await other.get<{ data: unknown[] }>('/v1/cases')).body.data).toEqual([]);
    const unknown = typeId('cas', uuidv7());
    for (const path of ['', '/ros-draft']) {
      const foreign = await other.get<Record<string, string>>(`/v1/cases/${id}${path}`);
      const nobodys = await other.get<Record<string, string>>(`/v1/cases/${unknown}${path}`);
      const same = ({ type, title, status, detail }: Record<string, string>) => ({ type, title, status, detail });
      expect([foreign.status, same(foreign.body)]).toEqual([404, same(nobodys.body)]);
    }
    for (const action of CASE_ACTIONS) expect((await other.act(id, action)).status).toBe(404);
    expect((await cases.show('cas_nonsense')).status).toBe(404);
    expect((await cases.show(id)).body.timeline).toHaveLength(1);
  });
});

describe('the numbers', () => {
  it('say zero for everything that there is not', async () => {
    const { body } = await cases.get('/v1/cases/stats');
    expect(body).toEqual({
      by_status: { open: 0, in_review: 0, escalated: 0, pending_approval: 0, resolved: 0 },
      by_severity: { review: 0, reject: 0 },
      by_list: { OFAC: 0, ONU: 0, PEP: 0, EU_SANCTIONS: 0, FATF: 0, INTERNAL: 0 },
      by_assignee: {},
      unassigned: 0,
      by_age: { '0-24h': 0, '1-3d': 0, '3-7d': 0, older: 0 },
      median_hours_to_resolve: null,
      sla_breaches: 0,
      ros_drafts: 0,
      resolved_since: expect.stringMatching(/Z$/),
    });
  });

  it('count what there is', async () => {
    await cases.openIn('in_review', { listHits: ['ONU', 'OFAC'], decision: 'reject' });
    await cases.open({ at: new Date(Date.now() - 2 * 86_400_000) });
    await cases.openIn('resolved', { at: new Date(Date.now() - 6 * 3_600_000) });
    expect((await cases.get('/v1/cases/stats')).body).toMatchObject({
      by_status: { open: 1, in_review: 1, resolved: 1 },
      by_severity: { review: 1, reject: 1 },
      by_list: { ONU: 1, OFAC: 1, PEP: 1 },
      by_assignee: { ana: 1 },
      unassigned: 1,
      by_age: { '0-24h': 1, '1-3d': 1 },
      median_hours_to_resolve: 6.05, // six, to within 1 %
    });
  });
});
