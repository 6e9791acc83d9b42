import { randomBytes } from 'node:crypto';
import { typeId, uuidv7 } from '@constancia/kernel';
import { Database, sqlState, verifyChain } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGNING_TABLES } from '../tables.ts';
import { readTrail, recordEvent } from './trail.ts';

let store: TestDatabase;
let database: Database;

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({
    url: store.app('signing'),
    applicationName: 'trail-tests',
    schema: 'signing',
    entities: SIGNING_TABLES,
  });
});

afterAll(async () => {
  await database?.close();
  await store?.drop();
});

async function envelope(): Promise<{ tenantId: string; envelopeId: string }> {
  const { id: tenantId } = await testTenant(store);
  const envelopeId = uuidv7();
  await store.query(
    `insert into signing.envelope (id, tenant_id, circuit_id, public_id, credits_debited, expires_at)
     values ($1, $2, $3, $4, 40, now() + interval '1 day')`,
    [envelopeId, tenantId, uuidv7(), randomBytes(11).toString('hex')],
  );
  return { tenantId, envelopeId };
}

async function signerOf({ tenantId, envelopeId }: { tenantId: string; envelopeId: string }) {
  const signer = { id: uuidv7(), role: 'buyer' };
  await store.query(
    `insert into signing.envelope_signer (id, tenant_id, envelope_id, role, ord, email, auth, status, token_hash, token_sealed)
     values ($1, $2, $3, $4, 1, 'buyer@example.com', '{otp_email}', 'pending', $5, '')`,
    [signer.id, tenantId, envelopeId, signer.role, randomBytes(32)],
  );
  return signer;
}

test('a trail shows exactly what is hashed, and one changed row breaks it', async () => {
  const { tenantId, envelopeId } = await envelope();
  const signer = await signerOf({ tenantId, envelopeId });
  const trail = await database.tenant(tenantId, async (tx) => {
    await recordEvent(tx, {
      tenantId,
      envelopeId,
      type: 'envelope.sent',
      data: { signers: [{ role: 'buyer' }], b: 'ñ' },
    });
    const seen = { ip: '203.0.113.7', userAgent: `x\ud800${'y'.repeat(600)}`, data: { a: 1.5 } };
    await recordEvent(tx, { tenantId, envelopeId, type: 'signer.viewed', signer, ...seen });
    await recordEvent(tx, { tenantId, envelopeId, type: 'signer.signed', signer, data: {} });
    await recordEvent(tx, { tenantId, envelopeId, type: 'envelope.voided', data: {} });
    return readTrail(tx, tenantId, envelopeId);
  });
  expect(trail.map(({ type, seq }) => [seq, type])).toEqual([
    [1, 'envelope.sent'],
    [2, 'signer.viewed'],
    [3, 'signer.signed'],
    [4, 'envelope.voided'],
  ]);
  expect(trail[1]).toMatchObject({ signer_id: typeId('sgn', signer.id), role: 'buyer', ip: '203.0.113.7' });
  expect(trail[1]?.user_agent).toHaveLength(512);
  expect(verifyChain(trail)).toEqual({ valid: true, head: { seq: 4, hash: trail[3]?.hash } });
  const [head] = await store.query('select trail_seq, trail_hash from signing.envelope where id = $1', [envelopeId]);
  expect(head).toEqual({ trail_seq: 3, trail_hash: trail[2]?.hash });

  await store.query('alter table signing.envelope_event disable trigger all');
  await store.query(`update signing.envelope_event set role = 'seller' where envelope_id = $1 and seq = 2`, [
    envelopeId,
  ]);
  await store.query('alter table signing.envelope_event enable trigger all');
  const altered = await database.tenant(tenantId, (tx) => readTrail(tx, tenantId, envelopeId));
  expect(verifyChain(altered)).toEqual({ valid: false, seq: 2, fault: 'altered' });
});

test("another tenant's envelope takes no event, and its trail is not seen", async () => {
  const { envelopeId } = await envelope();
  const { tenantId } = await envelope();
  const refused = database.tenant(tenantId, (tx) =>
    recordEvent(tx, { tenantId, envelopeId, type: 'envelope.voided', data: {} }),
  );
  expect(await refused.catch((error: unknown) => sqlState(error))).toBe('P0002');
  expect(await database.tenant(tenantId, (tx) => readTrail(tx, tenantId, envelopeId))).toEqual([]);
});
