import { createHash } from 'node:crypto';
import { typeId } from '@constancia/kernel';
import { SigningKms } from '@constancia/kms';
import { type TestDatabase, eventually, testTenant } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readers, textOf } from '../../../libs/pdf-sealing/src/poppler.fixture.ts';
import {
  acceptedRequests,
  eventsOf,
  hints,
  requestOf,
  runningWorker,
  signingKeyring,
  storedTemplate,
  type WorkerServices,
} from './running-sealing-worker.fixture.ts';
import type { SealingConfig } from './config.ts';
import { SealingBench } from './sealing-bench.fixture.ts';

let store: TestDatabase;
let around: WorkerServices;
const bench = new SealingBench();

beforeAll(async () => {
  ({ store, around } = await bench.open());
});
afterEach(() => bench.endTest());
afterAll(() => bench.close());

const worker = (changes?: Partial<SealingConfig>) => bench.worker(changes);

async function settled(id: string, timeoutMs = 15_000) {
  return eventually(async () => {
    const request = await requestOf(store, id);
    expect(request.status).not.toBe('pending');
    return request;
  }, timeoutMs);
}

const balance = async (tenantId: string) => {
  const [row] = await store.query<{ available: string }>(
    'select available from platform.credit_account where tenant_id = $1',
    [tenantId],
  );
  return Number(row?.available);
};

describe('a sealing run', () => {
  it('finds a request that no hint announced, and signs it so that its proof holds', async () => {
    const tenant = await testTenant(store);
    const [id] = (await acceptedRequests(store, tenant, await storedTemplate(store, around, tenant))) as [string];
    await worker();

    const request = await settled(id);
    expect(request).toMatchObject({
      status: 'signed',
      signature_algorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      kms_key_arn: around.kms.keyArn,
      credits_refunded: 0,
    });
    const document = await around.objects.get(request.document_key as string);
    const sha256 = createHash('sha256').update(document).digest();
    expect(sha256.equals(request.document_sha256 as Buffer)).toBe(true);
    expect(request.document_key).toBe(`documents/${tenant.id}/${sha256.toString('hex')}.pdf`);
    expect(request.document_size).toBe(document.length);
    const [key] = await store.query<{ public_key_pem: string; status: string; fingerprint: Buffer }>(
      'select * from signing.signing_key where key_arn = $1',
      [request.kms_key_arn],
    );
    const spki = Buffer.from((key?.public_key_pem ?? '').replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    expect(
      createHash('sha256')
        .update(spki)
        .digest()
        .equals(key?.fingerprint as Buffer),
    ).toBe(true);
    expect(key?.status).toBe('active');
    expect(SigningKms.verify(spki, document, request.signature as Buffer)).toBe(true);
    expect(SigningKms.verify(spki, Buffer.concat([document, Buffer.from(' ')]), request.signature as Buffer)).toBe(
      false,
    );
  });

  it('emits seal.signature.completed exactly as published, draws sealed merge data, and forgets it with its key', async () => {
    const tenant = await testTenant(store);
    const templateId = await storedTemplate(store, around, tenant);
    const keyring = await signingKeyring(store, around, tenant);
    const mergeData = () => ({ full_name: 'Canaria Sellada' });
    const [id] = (await acceptedRequests(store, tenant, templateId, { keyring, mergeData })) as [string];
    expect((await requestOf(store, id)).merge_key).not.toBeNull();
    await worker();

    const request = await settled(id);
    expect(request).toMatchObject({ merge_data: {}, sealed_merge_data: null, merge_key: null });
    const document = await around.objects.get(request.document_key as string);
    if (readers.poppler) expect(textOf(document)).toContain('Canaria Sellada');
    const events = await eventsOf(store, typeId('sig', id));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ tenant_id: tenant.id, module: 'seal', event_type: 'seal.signature.completed' });
    expect(events[0]?.payload).toEqual({
      external_ref: null,
      metadata: {},
      request_id: typeId('sig', id),
      template_id: typeId('tpl', templateId),
      subject_ref: 'subject-0',
      document_sha256: request.document_sha256?.toString('hex'),
      kms_key_arn: around.kms.keyArn,
      signature: request.signature?.toString('hex'),
      signed_at: request.signed_at?.toISOString(),
      evidence_level: 'B-B',
    });
  });

  it.each([
    { what: 'not a PDF', pdf: Buffer.from('%PDF-1.7 and then nothing'), code: 'invalid_pdf' },
    { what: 'text that leaves the page', mergeData: { full_name: 'long '.repeat(100) }, code: 'text_overflow' },
    { what: 'a character in no font', mergeData: { full_name: 'a 漢 b' }, code: 'unsupported_text' },
    {
      what: 'a placeholder outside the page',
      placeholders: [{ key: 'full_name', page: 1, x: 700, y: 1, size: 12 }],
      code: 'placeholder_outside_page',
    },
  ])('fails a request over $what, says why, and keeps the credits', async ({ pdf, placeholders, mergeData, code }) => {
    const tenant = await testTenant(store);
    const templateId = await storedTemplate(store, around, tenant, { pdf, placeholders });
    const accepted = { mergeData: mergeData && (() => mergeData) };
    const [id] = (await acceptedRequests(store, tenant, templateId, accepted)) as [string];
    await worker();

    const request = await settled(id);
    expect(request).toMatchObject({ status: 'failed', failure_code: code, credits_refunded: 0, merge_data: {} });
    expect(request.failure_reason).toMatch(/\.$/);
    expect(request.failure_reason).not.toContain('long long');
    expect(await balance(tenant.id)).toBe(960);
    const [event] = await eventsOf(store, typeId('sig', id));
    expect(event).toMatchObject({
      event_type: 'seal.signature.failed',
      payload: { failure_code: code, failure_reason: request.failure_reason, credits_refunded: 0 },
    });
  });
});

describe('while KMS is unavailable', () => {
  it.each(['5xx', 'throttle'] as const)('a request waits (%s) and is signed when KMS is back', async (mode) => {
    const tenant = await testTenant(store);
    const templateId = await storedTemplate(store, around, tenant);
    const keyring = await signingKeyring(store, around, tenant);
    const [id] = (await acceptedRequests(store, tenant, templateId, { keyring })) as [string];
    around.kms.setMode(mode);
    await worker();

    await eventually(async () => expect((await requestOf(store, id)).attempts).toBeGreaterThanOrEqual(2), 20_000);
    expect((await requestOf(store, id)).status).toBe('pending');
    around.kms.setMode('ok');
    expect(await settled(id)).toMatchObject({ status: 'signed', credits_refunded: 0, faults: 0 });
    expect(await balance(tenant.id)).toBe(960);
  });

  it('a request is given up in the end, refunded, and announced', async () => {
    const tenant = await testTenant(store);
    const templateId = await storedTemplate(store, around, tenant);
    const keyring = await signingKeyring(store, around, tenant);
    const [id] = (await acceptedRequests(store, tenant, templateId, { keyring })) as [string];
    around.kms.setMode('gone');
    await worker({ giveUpSeconds: 2 });

    expect(await settled(id, 25_000)).toMatchObject({
      status: 'failed',
      failure_code: 'signing_unavailable',
      credits_refunded: 40,
      merge_data: {},
      sealed_merge_data: null,
      merge_key: null,
    });
    expect(await balance(tenant.id)).toBe(1000);
    const entries = await store.query<{ kind: string; amount: string }>(
      'select kind, amount from platform.credit_entry where ref_id = $1 order by seq',
      [id],
    );
    expect(entries).toEqual([
      { kind: 'debit', amount: -40 },
      { kind: 'refund', amount: 40 },
    ]);
    const [event] = await eventsOf(store, typeId('sig', id));
    expect(event?.payload).toMatchObject({ failure_code: 'signing_unavailable', credits_refunded: 40 });
  });
});

describe('a template that is gone from the storage', () => {
  it('fails the request as internal after a few attempts, and refunds it', async () => {
    const tenant = await testTenant(store);
    const templateId = await storedTemplate(store, around, tenant);
    await store.query(`update signing.template set storage_key = 'templates/none.pdf', sha256 = $2 where id = $1`, [
      templateId,
      Buffer.alloc(32, 1),
    ]);
    const [id] = (await acceptedRequests(store, tenant, templateId)) as [string];
    await worker();
    expect(await settled(id, 30_000)).toMatchObject({ failure_code: 'internal', credits_refunded: 40, faults: 3 });
    expect(await balance(tenant.id)).toBe(1000);
  });
});

describe('100 requests at once', () => {
  // How long they take is measured on a machine of its own: npm run bench -- seals.
  it('are signed by two workers once each', async () => {
    const tenant = await testTenant(store, { credits: 5000 });
    const templateId = await storedTemplate(store, around, tenant);
    await Promise.all([worker({ processes: 1 }), worker({ processes: 1 })]);
    const queues = hints(store);
    const ids = await acceptedRequests(store, tenant, templateId, { count: 100 });
    for (const id of ids) queues.hint('sealing', { v: 1, request_id: id }, id);
    // One look at all of them: a hundred that watch would be most of the load.
    await eventually(
      async () =>
        expect(
          await store.query(`select from signing.signature_request where status = 'pending' and tenant_id = $1`, [
            tenant.id,
          ]),
        ).toEqual([]),
      30_000,
    );
    const requests = await Promise.all(ids.map((id) => requestOf(store, id)));
    await queues.close();

    expect(requests.map(({ status }) => status)).toEqual(ids.map(() => 'signed'));
    const events = await store.query<{ count: number }>(
      `select count(*)::int from platform.event where tenant_id = $1 group by body::jsonb -> 'payload' ->> 'request_id'`,
      [tenant.id],
    );
    expect(events).toEqual(ids.map(() => ({ count: 1 })));
  });
});

describe('a lease', () => {
  it('that was lost to another run lets nothing be written', async () => {
    const tenant = await testTenant(store);
    const [id] = (await acceptedRequests(store, tenant, await storedTemplate(store, around, tenant))) as [string];
    const claim = async () => {
      const rows = await store.query<{ id: string; lease_token: string; stranded: boolean }>(
        'select id, lease_token, stranded from signing.claim_sealing(1, 20)',
      );
      return rows[0];
    };
    const first = await claim();
    expect(first).toMatchObject({ id, stranded: false });
    expect(await claim()).toBeUndefined();
    await store.query(`update signing.signature_request set retry_at = now(), lease_until = now() where id = $1`, [id]);
    const second = await claim();
    expect(second).toMatchObject({ id, stranded: true });

    const event = JSON.stringify({});
    const late = await store.query(`select signing.fail_sealing($1, $2, 'internal', 'x', true, $3) as ours`, [
      id,
      first?.lease_token,
      event,
    ]);
    expect(late).toEqual([{ ours: false }]);
    expect(
      await store.query(`select signing.defer_sealing($1, $2, 0, false) as ours`, [id, first?.lease_token]),
    ).toEqual([{ ours: false }]);
    const held = await store.query('select signing.extend_sealing_lease($1, $2, 20) as id', [
      [id],
      [first?.lease_token],
    ]);
    expect(held).toEqual([]);
    expect(await requestOf(store, id)).toMatchObject({ status: 'pending', lease_token: second?.lease_token });
    expect(await balance(tenant.id)).toBe(960);
  });
});

describe('a worker that is stopped', () => {
  it('finishes what it has in progress and leaves nothing leased', async () => {
    const tenant = await testTenant(store, { credits: 5000 });
    const templateId = await storedTemplate(store, around, tenant);
    const ids = await acceptedRequests(store, tenant, templateId, { count: 40 });
    const ending = await runningWorker(store, around);
    await eventually(async () => {
      const states = await Promise.all(ids.map((id) => requestOf(store, id)));
      expect(states.some(({ status }) => status === 'signed')).toBe(true);
    });
    await ending.close();

    const left = (await Promise.all(ids.map((id) => requestOf(store, id)))).filter(
      ({ status }) => status === 'pending',
    );
    expect(left.map(({ lease_token }) => lease_token)).toEqual(left.map(() => null));
    await worker();
    for (const { id } of left) expect((await settled(id)).status).toBe('signed');
  });
});
