import { typeId, uuidOf } from '@constancia/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';

interface Overdue {
  data: { id: string; tenant_id: string; hours_over: number }[];
  next_cursor: string | null;
}

let bench: Workbench;
let ops: OpsPort;

beforeAll(async () => {
  bench = await workbench();
  ops = await opsPortOf(bench.compliance.app);
});
afterAll(async () => {
  await ops?.close();
  await bench?.close();
});

describe('the cases on the ops port', () => {
  it('past their time are listed across tenants, the longest first, page by page', async () => {
    const [ana, berta] = [await TenantCases.of(bench), await TenantCases.of(bench)];
    const ids = [await ana.open(), await berta.open(), await ana.open({ subjectRef: 'other' })] as const;
    await ana.act(ids[0], 'assign', { assignee: 'bea' });
    for (const [nth, id] of [ids[0], ids[1]].entries()) {
      await bench.store.query(
        "update compliance.review_case set due_at = now() - $2 * interval '1 hour' where id = $1",
        [uuidOf('cas', id), 30 - nth * 20],
      );
    }
    const first = await ops.get<Overdue>('/cases/overdue?limit=1&reason=ticket%207');
    expect(first.body.data).toMatchObject([
      {
        id: ids[0],
        tenant_id: ana.tenant.id,
        status: 'in_review',
        severity: expect.any(String),
        hours_over: 30,
        assignee: 'bea',
      },
    ]);
    const unnamed = await ops.get<Overdue>('/cases/overdue?limit=1');
    expect(unnamed.body.data).toMatchObject([{ id: ids[0], assignee: null }]);
    const seen = await bench.store.query('select type, operator, data from platform.operator_act order by seq desc');
    expect(seen.filter(({ type }) => type === 'case.assignees_seen')).toEqual([
      { type: 'case.assignees_seen', operator: 'noche', data: expect.stringContaining('ticket 7') },
    ]);
    const second = await ops.get<Overdue>(`/cases/overdue?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({
      data: [{ id: ids[1], tenant_id: berta.tenant.id, hours_over: 10 }],
      next_cursor: null,
    });
    const { body } = await ops.get<{ work: { kind: string; open: number }[] }>('/lag');
    expect(body.work).toContainEqual(expect.objectContaining({ module: 'compliance', kind: 'overdue-case', open: 2 }));
  });

  it('tell how they went, and nothing that people wrote or who they are', async () => {
    const cases = await TenantCases.of(bench);
    const id = await cases.open({ subjectRef: 'camila-restrepo' });
    await cases.act(id, 'assign', { assignee: 'Ñusta Ríos' });
    await cases.act(id, 'comment', { body: 'Her mother is on the list.' });
    await cases.act(id, 'resolve', { decision: 'approve', reason: 'Another birth date.' }, { actor: 'bea' });
    const { status, body } = await ops.get<{ timeline: { what: string; detail: string }[] }>(`/story/${id}`);
    expect([status, body]).toMatchObject([200, { id, kind: 'case', tenant_id: cases.tenant.id, status: 'resolved' }]);
    expect(body.timeline.map(({ what }) => what)).toEqual(['opened', 'assigned', 'commented', 'resolved']);
    expect(body.timeline.at(-1)?.detail).toBe(`${id}, in_review → resolved`);
    expect(JSON.stringify(body)).not.toMatch(/Ñusta|mother|birth|camila|bea/);
  });

  it('are 404 when unknown and 400 when asked for wrongly', async () => {
    for (const id of [typeId('cas'), typeId('scr'), typeId('stp'), 'nonsense', '%00']) {
      expect((await ops.get(`/story/${id}`)).status).toBe(404);
    }
    for (const query of ['limit=0', 'cursor=x', 'tenant=x']) {
      expect((await ops.get(`/cases/overdue?${query}`)).status).toBe(400);
    }
  });
});
