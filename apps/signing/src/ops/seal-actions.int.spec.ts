import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copiesOf, pagesRead } from '@constancia/testing/history';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import { SIGNERS, sentEnvelope } from '../envelopes/envelopes.fixture.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';

interface Seals {
  data: Record<string, unknown>[];
  next_cursor: string | null;
}

let store: TestDatabase;
let signing: RunningSigning;
let ops: OpsPort;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
  ops = await opsPortOf(signing.app);
});
afterAll(async () => {
  await ops?.close();
  await signing?.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

describe('the seals on the ops port', () => {
  it('that are open and those that failed are listed across tenants, page by page', async () => {
    const template = await signing.template(tenant.apiKey);
    const ids = [await signing.signature(tenant.apiKey, template), await signing.signature(tenant.apiKey, template)];
    const first = await ops.get<Seals>('/seals?limit=1');
    expect(first.body.data).toMatchObject([
      {
        id: ids[1],
        kind: 'signature_request',
        tenant_id: tenant.id,
        status: 'pending',
        attempts: 0,
        last_setback: null,
      },
    ]);
    const second = await ops.get<Seals>(`/seals?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.data).toMatchObject([{ id: ids[0] }]);
    await store.query(
      `update signing.signature_request set status = 'failed', failure_code = 'signing_unavailable', failure_reason = 'KMS was away.',
         attempts = 9, credits_refunded = 40 where id = $1`,
      [uuidOf('sig', ids[0] as string)],
    );
    const failed = await ops.get<Seals>('/seals?status=failed');
    expect(failed.body.data).toMatchObject([
      { id: ids[0], status: 'failed', last_setback: 'signing_unavailable', attempts: 9 },
    ]);
    const story = await ops.get<{ timeline: object[] }>(`/story/${ids[0]}`);
    expect(story.body).toMatchObject({ kind: 'signature_request', status: 'failed', credits_refunded: 40 });
    expect(story.body.timeline).toMatchObject([{ what: 'accepted' }, { what: 'sealing failed' }]);
    const { body } = await ops.get<{ work: object[] }>('/lag');
    expect(body.work).toContainEqual(expect.objectContaining({ kind: 'signature-seal', open: 1 }));
  });

  it('are found without reading what was sealed', async () => {
    const id = await signing.signature(tenant.apiKey, await signing.template(tenant.apiKey));
    await copiesOf(store, 'signing.signature_request', uuidOf('sig', id) as string, {
      status: `'signed'`,
      document_sha256: `'\\x' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`,
      document_key: `'key'`,
      document_size: 1,
      kms_key_arn: `'arn'`,
      signature: `'\\x00'`,
      signature_algorithm: `'RSASSA_PSS_SHA_256'`,
      signed_at: 'now()',
    });
    const envelope = await sentEnvelope(signing, tenant.apiKey, await publishedCircuit(signing, tenant.apiKey));
    await copiesOf(store, 'signing.envelope', uuidOf('env', envelope.id) as string, {
      tenant_id: 'gen_random_uuid()',
      status: `'expired'`,
      public_id: `translate(left(md5(n::text), 22), '-', '')`,
      ended_at: 'now()',
    });
    for (const status of ['open', 'failed']) {
      const pages = await pagesRead(store, 'select * from signing.ops_seals($1, null, 20)', [status]);
      expect([status, pages < 40]).toEqual([status, true]);
    }
  });

  it('of envelopes tell their journey without names, addresses or devices', async () => {
    const circuit = await publishedCircuit(signing, tenant.apiKey);
    const envelope = await sentEnvelope(signing, tenant.apiKey, circuit);
    const { status, body } = await ops.get<{ timeline: { what: string }[] }>(`/story/${envelope.id}`);
    expect([status, body]).toMatchObject([
      200,
      { id: envelope.id, kind: 'envelope', tenant_id: tenant.id, status: 'sent' },
    ]);
    expect(body.timeline[0]).toMatchObject({ what: 'envelope.sent', where: 'signing' });
    for (const { email, name } of SIGNERS) {
      expect(JSON.stringify(body)).not.toContain(email);
      if (name) expect(JSON.stringify(body)).not.toContain(name);
    }
    await store.query(
      "update signing.envelope set status = 'sealing', attempts = 2, last_setback = 'kms' where id = $1",
      [uuidOf('env', envelope.id)],
    );
    const { data } = (await ops.get<Seals>('/seals?status=open')).body;
    expect(data).toContainEqual(expect.objectContaining({ id: envelope.id, kind: 'envelope', last_setback: 'kms' }));
  });

  it('are 404 when unknown and 400 when asked for wrongly', async () => {
    for (const id of [typeId('sig'), typeId('env'), uuidv7(), '%00']) {
      expect((await ops.get(`/story/${id}`)).status).toBe(404);
    }
    for (const query of ['status=x', 'limit=501', 'cursor=x']) {
      expect((await ops.get(`/seals?${query}`)).status).toBe(400);
    }
  });
});
