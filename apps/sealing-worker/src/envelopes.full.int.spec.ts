import fs from 'node:fs';
import path from 'node:path';
import { typeId } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import { Metrics } from '@constancia/telemetry';
import { eventually, type TestDatabase, type TestTenant, testTenant } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SealingConfig } from './config.ts';
import { hints, type WorkerServices } from './running-sealing-worker.fixture.ts';
import { SealingBench } from './sealing-bench.fixture.ts';
import { envelopeOf, signatureFields, signedEnvelopes, trailOf } from './signed-envelopes.fixture.ts';

let store: TestDatabase;
let around: WorkerServices;
const bench = new SealingBench();

beforeAll(async () => {
  ({ store, around } = await bench.open());
});
afterEach(() => bench.endTest());
afterAll(() => bench.close());

const worker = (changes?: Partial<SealingConfig>) => bench.worker(changes);

const settled = (id: string, timeoutMs = 20_000) =>
  eventually(async () => {
    const envelope = await envelopeOf(store, id);
    expect(envelope.status).not.toBe('sealing');
    return envelope;
  }, timeoutMs);

async function eventsOf(id: string): Promise<{ event_type: string; payload: Record<string, unknown> }[]> {
  const rows = await store.query<{ body: string }>(
    `select body from platform.event where body::jsonb -> 'payload' ->> 'envelope_id' = $1 order by event_id`,
    [typeId('env', id)],
  );
  return rows.map(({ body }) => JSON.parse(body) as { event_type: string; payload: Record<string, unknown> });
}

const mailsOf = (id: string) =>
  store.query<{ kind: string; role: string }>(
    `select m.kind, s.role from signing.signer_mail m join signing.envelope_signer s on s.id = m.signer_id
      where m.envelope_id = $1 order by s.ord`,
    [id],
  );

const ledgerOf = (id: string) =>
  store.query<{ kind: string; amount: number }>(
    'select kind, amount from platform.credit_entry where ref_id = $1 order by seq',
    [id],
  );

describe('an envelope that all have signed', () => {
  it('is sealed, announced once, mailed to each signer, and keeps nothing that is in the document now', async () => {
    const tenant = await testTenant(store);
    const [id] = (await signedEnvelopes(store, around, tenant, { roles: ['seller', 'buyer'] })) as [string];
    const head = await envelopeOf(store, id);
    await worker();

    const envelope = await settled(id);
    expect(envelope).toMatchObject({
      status: 'sealed',
      signature_algorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      kms_key_arn: around.kms.keyArn,
      credits_refunded: 0,
      last_setback: null,
      lease_token: null,
      trail_seq: head.trail_seq,
      trail_hash: head.trail_hash,
    });
    const proof = {
      document_sha256: envelope.document_sha256?.toString('hex'),
      kms_key_arn: around.kms.keyArn,
      signature: envelope.signature?.toString('hex'),
      signed_at: envelope.signed_at?.toISOString(),
    };
    const signers = await store.query<Record<string, unknown> & { role: string; signed_at: Date }>(
      'select * from signing.envelope_signer where envelope_id = $1 order by ord',
      [id],
    );
    const events = await eventsOf(id);
    expect(events).toMatchObject([{ tenant_id: tenant.id, module: 'seal', event_type: 'seal.envelope.completed' }]);
    expect(events[0]?.payload).toEqual({
      external_ref: null,
      metadata: {},
      ...{ envelope_id: typeId('env', id), circuit_id: expect.stringMatching(/^cir_/), ...proof },
      evidence_level: 'B-B',
      signers: signers.map(({ role, signed_at }) => ({ role, signed_at: signed_at.toISOString() })),
    });
    expect(await mailsOf(id)).toEqual([{ kind: 'completed', role: 'seller' }, { kind: 'completed', role: 'buyer' }]); // prettier-ignore
    for (const signer of signers)
      expect(signer).toMatchObject({ signature_text: null, signature_image: null, field_values: {}, otp_hash: null });
    const trail = await trailOf(store, id);
    expect(trail.at(-1)).toMatchObject({
      ...{ seq: head.trail_seq + 1, type: 'envelope.sealed', signer_id: null, role: null },
      data: { ...proof, signature_algorithm: 'RSASSA_PKCS1_V1_5_SHA_256' },
    });
    expect(verifyChain(trail, [{ seq: head.trail_seq, hash: head.trail_hash }])).toMatchObject({ valid: true });
    expect(await ledgerOf(id)).toEqual([{ kind: 'debit', amount: -40 }]);
  });

  it('is mailed to nobody when its tenant informs the signers', async () => {
    const tenant = await testTenant(store);
    const [id] = (await signedEnvelopes(store, around, tenant, { notify: false })) as [string];
    await worker();
    expect(await settled(id)).toMatchObject({ status: 'sealed' });
    expect(await mailsOf(id)).toEqual([]);
  });

  it.each([
    ['no PDF', { pdf: Buffer.from('%PDF-1.7 and then nothing') }, 'invalid_pdf'],
    ['a signature that is no picture', { given: { buyer: { image: Buffer.from('GIF89a') } } }, 'invalid_image'],
    ['a field off the page', { fields: [{ ...signatureFields(['buyer'])[0], x: 590 }] }, 'placeholder_outside_page'],
  ] as [string, Parameters<typeof signedEnvelopes>[3], string][])(
    'over %s fails where everyone sees it, and is not refunded',
    async (_, options, code) => {
      const tenant = await testTenant(store);
      const [id] = (await signedEnvelopes(store, around, tenant, { roles: ['buyer'], ...options })) as [string];
      await worker();

      const envelope = await settled(id);
      expect(envelope).toMatchObject({ status: 'failed', failure_code: code, credits_refunded: 0 });
      expect(envelope.failure_reason).toMatch(/\.$/);
      const members = { failure_code: code, failure_reason: envelope.failure_reason, credits_refunded: 0 };
      const [event, ...others] = await eventsOf(id);
      expect([event?.event_type, others.length]).toEqual(['seal.envelope.failed', 0]);
      expect(event?.payload).toEqual({
        external_ref: null,
        metadata: {},
        ...{ envelope_id: typeId('env', id), circuit_id: expect.stringMatching(/^cir_/), ...members },
      });
      expect((await trailOf(store, id)).at(-1)).toMatchObject({ type: 'envelope.failed', data: members });
      expect([await mailsOf(id), await ledgerOf(id)]).toEqual([[], [{ kind: 'debit', amount: -40 }]]);
    },
  );

  it('whose document is gone fails after a few attempts, is refunded, and keeps what was signed', async () => {
    const tenant = await testTenant(store);
    const [id] = (await signedEnvelopes(store, around, tenant)) as [string];
    await store.query(
      `update signing.circuit set base_pdf_key = 'templates/none.pdf', base_pdf_sha256 = $2
        where id = (select circuit_id from signing.envelope where id = $1)`,
      [id, Buffer.alloc(32, 1)],
    );
    await worker();
    await eventually(async () => expect((await envelopeOf(store, id)).last_setback).toBe('internal'), 10_000);
    expect(await settled(id, 30_000)).toMatchObject({
      ...{ status: 'failed', failure_code: 'internal', credits_refunded: 40, faults: 3, last_setback: null },
    });
    expect(await ledgerOf(id)).toEqual([{ kind: 'debit', amount: -40 }, { kind: 'refund', amount: 40 }]); // prettier-ignore
    expect((await eventsOf(id))[0]?.payload).toMatchObject({ failure_code: 'internal', credits_refunded: 40 });
    const [kept] = await store.query<{ count: number }>(
      'select count(signature_text)::int from signing.envelope_signer where envelope_id = $1',
      [id],
    );
    expect(kept?.count).toBe(2);
  });
});

describe('while something is unavailable, an envelope waits, says for what, and is sealed in the end', () => {
  const sealedLater = async (tenant: TestTenant, cause: string, away: () => void, back: () => void) => {
    const [id] = (await signedEnvelopes(store, around, tenant, { age: '1 day' })) as [string];
    away();
    await worker({ giveUpSeconds: 1 });
    await eventually(async () => {
      expect(await envelopeOf(store, id)).toMatchObject({ status: 'sealing', last_setback: cause });
      expect((await envelopeOf(store, id)).attempts).toBeGreaterThanOrEqual(3);
    }, 30_000);
    back();
    expect(await settled(id, 30_000)).toMatchObject({ status: 'sealed', faults: 0, last_setback: null });
    expect(await eventsOf(id)).toMatchObject([{ event_type: 'seal.envelope.completed' }]);
    expect(await ledgerOf(id)).toEqual([{ kind: 'debit', amount: -40 }]);
  };

  it.each(['5xx', 'throttle', 'gone'] as const)('KMS (%s), however long', async (mode) => {
    await sealedLater(
      await testTenant(store),
      'kms',
      () => around.kms.setMode(mode),
      () => around.kms.setMode('ok'),
    );
  });

  it('the storage, for what is written', async () => {
    const tenant = await testTenant(store);
    const folder = path.join(around.storageDir, 'documents', tenant.id);
    fs.mkdirSync(path.dirname(folder), { recursive: true });
    const inTheWay = () => fs.writeFileSync(folder, '');
    await sealedLater(tenant, 'storage', inTheWay, () => fs.rmSync(folder));
  });

  it('the storage as a whole', async () => {
    const folder = around.storageDir;
    const [aside, link] = [`${folder}.away`, `${folder}.back`];
    await sealedLater(
      await testTenant(store),
      'storage',
      () => {
        fs.renameSync(folder, aside);
        fs.symlinkSync('/dev/null', folder);
      },
      () => {
        fs.symlinkSync(aside, link);
        fs.renameSync(link, folder); // at once: there is no moment at which nothing is there
      },
    );
    fs.rmSync(folder);
    fs.renameSync(aside, folder);
  });
});

describe('30 envelopes of three signers at once', () => {
  it('are sealed by two workers once each', async () => {
    const tenant = await testTenant(store, { credits: 5000 });
    const roles = ['seller', 'buyer', 'witness'];
    const ids = await signedEnvelopes(store, around, tenant, { count: 30, roles });
    const queues = hints(store);
    await Promise.all([worker({ processes: 1 }), worker({ processes: 1 })]);
    for (const id of ids) queues.hint('sealing', { v: 1, request_id: id }, id);
    await eventually(
      async () =>
        expect(
          await store.query(`select from signing.envelope where status = 'sealing' and tenant_id = $1`, [tenant.id]),
        ).toEqual([]),
      60_000,
    );
    await queues.close();
    for (const id of ids) {
      expect(await envelopeOf(store, id)).toMatchObject({ status: 'sealed' });
      expect(await eventsOf(id)).toMatchObject([{ event_type: 'seal.envelope.completed' }]);
      expect((await mailsOf(id)).map(({ role }) => role)).toEqual(roles);
      const trail = await trailOf(store, id);
      expect(trail.filter(({ type }) => type === 'envelope.sealed')).toHaveLength(1);
      expect(verifyChain(trail)).toMatchObject({ valid: true });
    }
  });
});

describe('a lease', () => {
  it('that was lost to another run shows nothing and lets nothing be written', async () => {
    const tenant = await testTenant(store);
    const [id] = (await signedEnvelopes(store, around, tenant)) as [string];
    const claim = async () => {
      const rows = await store.query<{ id: string; lease_token: string; stranded: boolean; strandings: number }>(
        'select id, lease_token, stranded, strandings from signing.claim_envelope_sealing(1, 20)',
      );
      return rows[0];
    };
    const first = await claim();
    expect(first).toMatchObject({ id, stranded: false, strandings: 0 });
    expect(await claim()).toBeUndefined();
    await store.query(`update signing.envelope set retry_at = now(), lease_until = now() where id = $1`, [id]);
    const second = await claim();
    expect(second).toMatchObject({ id, stranded: true, strandings: 1 });

    const lost = [id, first?.lease_token];
    const ours = async (call: string) =>
      (await store.query<{ ours: boolean }>(`select ${call} as ours`, lost))[0]?.ours;
    expect(await ours(`signing.fail_envelope_sealing($1, $2, 'internal', 'x', true, '{}', '{}')`)).toBe(false);
    expect(await ours(`signing.defer_envelope_sealing($1, $2, 0, false, 'kms')`)).toBe(false);
    expect(await store.query(`select from signing.signers_to_seal($1, $2)`, lost)).toEqual([]);
    expect(
      await store.query(
        `select from signing.extend_envelope_sealing_leases(array[$1::uuid], array[$2::uuid], 20)`,
        lost,
      ),
    ).toEqual([]);
    const completion = JSON.stringify([{ id, lease_token: first?.lease_token, event: {}, trail: {} }]);
    expect(await store.query('select * from signing.complete_envelope_sealings($1)', [completion])).toEqual([]);
    expect(await envelopeOf(store, id)).toMatchObject({ status: 'sealing', lease_token: second?.lease_token });
    expect(await trailOf(store, id)).not.toContainEqual(expect.objectContaining({ type: 'envelope.sealed' }));

    await store.query(`update signing.envelope set retry_at = now() where id = $1`, [id]);
    await worker();
    expect(await settled(id)).toMatchObject({ status: 'sealed' });
  });
});

describe('the metrics of the worker', () => {
  it('tell of envelopes and of signature requests apart', async () => {
    const tenant = await testTenant(store);
    const metrics = (await worker()).get(Metrics);
    const [id] = (await signedEnvelopes(store, around, tenant)) as [string];
    await settled(id);
    await eventually(async () => {
      const text = await metrics.text();
      expect(text).toMatch(/^seals_total\{kind="envelope",result="signed",app="sealing-worker"\} 1$/m);
      expect(text).toMatch(/^seal_latency_seconds_count\{app="sealing-worker",kind="envelope"\} 1$/m);
      for (const kind of ['envelope', 'signature'])
        expect(text).toMatch(new RegExp(`^sealing_backlog\\{kind="${kind}",app="sealing-worker"\\} 0$`, 'm'));
    });
  });
});
