import { uuidOf } from '@constancia/kernel';
import {
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testMember,
  type TestMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { publishedCircuit, succeeded } from '../circuits/circuits.fixture.ts';
import { Signing } from '../sign/sign.fixture.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { CreatedEnvelopeView } from './envelope-view.ts';
import { SIGNERS } from './envelopes.fixture.ts';
import { ExpirySweep } from './expiry-sweep.ts';

let database: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;
let sofia: TestMember;
let circuitId: string;

beforeAll(async () => {
  database = await testDatabase();
  signing = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});
beforeEach(async () => {
  tenant = await testTenant(database);
  sofia = await testMember(database, tenant.id, 'sender', { name: 'Sofía Gil' });
  await testMember(database, tenant.id, 'sender', { name: 'Tomás Ruiz' });
  circuitId = await publishedCircuit(signing, tenant.apiKey);
});
afterAll(async () => {
  await signing?.close();
  await database?.drop();
});

const send = async (as: { member: string } | { key: string } = { member: sofia.token }): Promise<CreatedEnvelopeView> =>
  succeeded(await signing.call<CreatedEnvelopeView>('/v1/envelopes', { ...as, body: { circuit_id: circuitId, signers: SIGNERS } })); // prettier-ignore

/** What members of the tenant were notified of, in the order in which they were. */
async function notified(): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `select m.name || ': ' || n.kind || ', ' || n.title
            || repeat(', by mail', (select count(*) from platform.member_mail w where w.member_id = m.id and w.kind = n.kind)::int) as line
       from platform.member_notification n join platform.member m on m.id = n.member_id where n.tenant_id = $1 order by n.id`,
    [tenant.id],
  );
  return rows.map(({ line }) => line);
}
/** An event of the trail, as the sealing run and the mail loop write it at the end of their transactions. */
const record = ({ id, signers: [signer] }: CreatedEnvelopeView, type: string) =>
  database.query('select signing.record_envelope_event($1, $2)', [
    tenant.id,
    JSON.stringify({
      ...{ envelope_id: uuidOf('env', id), type, data: '{}' },
      ...(type.startsWith('signer.') && { signer_id: signer?.id, role: signer?.role }),
    }),
  ]);
/** As if the worker had sealed it, or given up. */
async function end(envelope: CreatedEnvelopeView, status: 'sealed' | 'failed'): Promise<void> {
  const what = {
    sealed: `document_sha256 = sha256('x'), document_key = 'k', document_size = 1, kms_key_arn = 'arn', signature = 'x',
             signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256', signed_at = now()`,
    failed: `failure_code = 'internal', failure_reason = 'It could not be sealed.'`,
  };
  await database.query(`update signing.envelope set status = $2, ended_at = now(), ${what[status]} where id = $1`, [
    uuidOf('env', envelope.id),
    status,
  ]);
  await record(envelope, `envelope.${status}`);
}
const circuitName = async () => {
  const [row] = await database.query<{ name: string }>('select name from signing.circuit where id = $1', [uuidOf('cir', circuitId)]); // prettier-ignore
  return row?.name;
};

it('the member who sent an envelope, and nobody else, is notified once when a signer declines it', async () => {
  const { signers } = await send();
  const signer = new Signing(signing, database, tenant.apiKey);
  const token = signers[0]?.sign_token as string;
  await signer.authenticated(token);
  expect((await signer.post(token, 'decline', { reason: 'no' })).status).toBe(200);
  await signer.post(token, 'decline', { reason: 'no' });
  expect(await notified()).toEqual([`Sofía Gil: envelope_declined, ${await circuitName()}, by mail`]);
});

it('the sweep that ends an envelope whose time is over notifies its sender once, whichever process runs it', async () => {
  const { id } = await send();
  await database.query(`update signing.envelope set expires_at = now() - interval '1 minute' where id = $1`, [
    uuidOf('env', id),
  ]);
  const sweep = signing.app.get(ExpirySweep);
  await Promise.all([sweep.run(), sweep.run()]);
  expect(await notified()).toEqual([`Sofía Gil: envelope_expired, ${await circuitName()}, by mail`]);
});

it('the seal, its failure and a code that reached no phone are announced, each time that they happen', async () => {
  const envelope = await send();
  for (const type of ['signer.otp_undelivered', 'signer.otp_undelivered', 'signer.reminded'])
    await record(envelope, type);
  await end(envelope, 'failed');
  await end(await send(), 'sealed');
  expect((await notified()).map((line) => line.split(',')[0])).toEqual([
    'Sofía Gil: envelope_code_undelivered',
    'Sofía Gil: envelope_code_undelivered',
    'Sofía Gil: envelope_failed',
    'Sofía Gil: envelope_completed',
  ]);
});

it('nobody is notified of an envelope that a key created, or whose sender works on envelopes no more', async () => {
  await end(await send({ key: tenant.apiKey }), 'sealed');
  const [suspended, moved] = [await send(), await send()];
  await database.query(`update platform.member set status = 'suspended' where id = $1`, [sofia.id]);
  await end(suspended, 'sealed');
  await database.query(`update platform.member set status = 'active', role = 'billing' where id = $1`, [sofia.id]);
  await end(moved, 'sealed');
  expect(await notified()).toEqual([]);
});

it('the function that notifies is no app’s to call', async () => {
  const [row] = await database.query<{ apps: string | null }>(
    `select string_agg(r.rolname, ' ') as apps from pg_roles r
      where r.rolname like '%\\_app' and has_function_privilege(r.oid,
              'platform_v1.notify_of_envelope(uuid, text, uuid, text, uuid, text)', 'execute')`,
  );
  expect(row?.apps).toBeNull();
});
