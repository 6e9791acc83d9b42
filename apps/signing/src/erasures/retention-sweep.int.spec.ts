import { uuidOf } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { Signing } from '../sign/sign.fixture.ts';
import { RetentionSweep } from './retention-sweep.ts';

const SENDERS_WORDS = { subject: 'Contrato de Ana', message: 'Hola Ana' };

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
beforeEach(async () => {
  tenant = await testTenant(database);
  signing = new Signing(running, database, tenant.apiKey);
});
afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const sweep = () => running.app.get(RetentionSweep, { strict: false }).run();
const retain = (days: number, of = tenant) =>
  database.query(
    `insert into platform.tenant_retention (tenant_id, signing_unsealed_envelope_days) values ($1, $2)
     on conflict (tenant_id) do update set signing_unsealed_envelope_days = excluded.signing_unsealed_envelope_days`,
    [of.id, days],
  );

/** What else the columns of an envelope say in a state. */
const OF_STATUS: Record<string, string> = {
  failed: `, failure_code = 'internal', failure_reason = 'It failed.'`,
  sealed: `, document_sha256 = decode(repeat('00', 32), 'hex'), document_key = 'k', document_size = 1, kms_key_arn = 'arn', signature = '\\x00',
             signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256', signed_at = now()`,
};

/** An envelope to Ana, who was asked for more than the tenant wants to keep, ended so many days ago. */
async function ended(daysAgo: number, status = 'voided'): Promise<string> {
  const sent = await signing.envelope(
    await signing.circuit(),
    [{ role: 'a', email: 'ana@correo.example.co', name: 'Ana Canario' }],
    SENDERS_WORDS,
  );
  await signing.asTenant('POST', `/v1/envelopes/${sent.id}/void`, { reason: 'Ana cambió de idea' });
  await database.query(
    `update signing.envelope set status = $2, ended_at = now() - make_interval(days => $3) ${OF_STATUS[status] ?? ''}
      where id = $1`,
    [uuidOf('env', sent.id), status, daysAgo],
  );
  return sent.id;
}
interface Shown {
  subject: string | null;
  message: string | null;
  signers: { email: string; name: string | null }[];
}
const shown = async (id: string) => (await signing.asTenant<Shown>('GET', `/v1/envelopes/${id}`)).body;
const KEPT = { ...SENDERS_WORDS, signers: [{ email: 'ana@correo.example.co', name: 'Ana Canario' }] };
const FORGOTTEN = { subject: null, message: null, signers: [{ email: 'erased@erased.invalid', name: null }] };

describe('the retention of envelopes that ended without a seal', () => {
  test('erases signers and words once it is over, however many processes sweep; the trail still verifies', async () => {
    await retain(30);
    const [old, young] = [await ended(31), await ended(29)];
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await shown(old)).toMatchObject(FORGOTTEN);
    expect(await shown(young)).toMatchObject(KEPT);
    const trail = await signing.trail(old);
    expect(verifyChain(trail as never)).toMatchObject({ valid: true });
    expect(JSON.stringify([await shown(old), trail])).not.toContain('Ana');
    const keys = await database.query<{ wrapped_key: Buffer | null }>(
      `select k.wrapped_key from signing.subject_key k where k.tenant_id = $1 and (k.id = $2
          or k.id in (select s.id from signing.envelope_signer s where s.envelope_id = $2))`,
      [tenant.id, uuidOf('env', old)],
    );
    expect(keys).toEqual([{ wrapped_key: null }, { wrapped_key: null }]);
  });

  test('is without end until the tenant sets it, and that of another tenant is another', async () => {
    const id = await ended(4_000);
    await retain(1, await testTenant(database));
    await sweep();
    expect(await shown(id)).toMatchObject(KEPT);
    await retain(3_650);
    await sweep();
    expect(await shown(id)).toMatchObject(FORGOTTEN);
  });

  test('erases them however the envelope ended', async () => {
    await retain(1);
    const ids: string[] = [];
    for (const status of ['declined', 'voided', 'expired', 'failed']) ids.push(await ended(2, status));
    await sweep();
    for (const id of ids) expect(await shown(id)).toMatchObject(FORGOTTEN);
  });

  test.each(['sent', 'in_progress', 'sealing', 'sealed'])('never touches an envelope that is %s', async (status) => {
    await retain(1);
    const id = await ended(4_000, status);
    await sweep();
    expect((await shown(id)).signers).toMatchObject(KEPT.signers);
  });
});
