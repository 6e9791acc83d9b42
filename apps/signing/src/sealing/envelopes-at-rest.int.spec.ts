import { uuidOf } from '@constancia/kernel';
import { Database, verifyChain } from '@constancia/persistence';
import { PersonalData, SealingSweep } from '@constancia/personal-data';
import { createLogger } from '@constancia/telemetry';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, textSenders } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCanaries } from '@constancia/testing/canary-scan';
import { SIGNING_TABLES } from '../tables.ts';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { definitionOf, EVERY_FIELD, Signing } from '../sign/sign.fixture.ts';
import { SEALED_TABLES } from './sealed-tables.ts';

let store: TestDatabase;
let running: RunningSigning;

beforeAll(async () => {
  store = await testDatabase();
  await store.query(`update signing.personal_data_mode set mode = 'compatible'`);
  running = await runningSigning(store, {
    env: textSenders('http://127.0.0.1:9'),
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
});
afterAll(async () => {
  await running?.close();
  await store?.drop();
});

/** What people say and are called, and what is entered: each text once, so that a scan finds it wherever it is. */
const CANARIES = {
  email: 'canaria.inventada@trinos.example.co',
  name: 'Canaria Inventada Trinos',
  subject: 'Compraventa del canario cantor 417',
  message: 'Canaria, firme antes del viernes 13',
  value: 'Calle de los canarios 45-12',
  mark: 'C. Inventada de Trinos',
  draft: 'Canarios del borrador 99',
  declined: 'Soy Canaria y no acepto el precio',
  voided: 'Canaria pidió otro contrato',
};

const scan = () => findCanaries((sql, params) => store.query(sql, params), Object.values(CANARIES));

const DEFINITION = {
  ...EVERY_FIELD,
  signers: [...EVERY_FIELD.signers, { role: 'b', auth: ['otp_email'], order: 2 }],
  fields: [...EVERY_FIELD.fields, ...definitionOf([{ role: 'b' }]).fields],
};

/** Envelopes in every state that the app brings one into: signed by the first of two, declined, voided, and with a draft. */
async function envelopes(signing: Signing): Promise<Record<'signed' | 'declined' | 'voided' | 'drafted', string>> {
  const circuit = await signing.circuit(DEFINITION);
  const { email, name, subject, message } = CANARIES;
  const send = async () => {
    const sent = await signing.envelope(circuit, [{ role: 'a', email, name }, { role: 'b' }], {
      subject,
      message,
      notify: false,
    });
    return { id: sent.id, token: sent.signers.find(({ role }) => role === 'a')?.sign_token as string };
  };
  const [signed, declined, voided, drafted] = [await send(), await send(), await send(), await send()];
  await signing.authenticated(signed.token);
  const signature = { type: 'typed', text: CANARIES.mark };
  const answer = await signing.sign(signed.token, {
    signature,
    fields: { initials: 'CI', city: CANARIES.value, agrees: true },
  });
  expect(answer.status).toBe(200);
  expect(answer.body.fields.find(({ key }) => key === 'city')?.value).toBe(CANARIES.value);
  await signing.authenticated(declined.token);
  expect((await signing.post(declined.token, 'decline', { reason: CANARIES.declined })).status).toBe(200);
  expect((await signing.asTenant('POST', `/v1/envelopes/${voided.id}/void`, { reason: CANARIES.voided })).status).toBe(
    200,
  );
  await signing.authenticated(drafted.token);
  expect((await signing.send('PUT', drafted.token, 'draft', { fields: { city: CANARIES.draft } })).status).toBe(204);
  return { signed: signed.id, declined: declined.id, voided: voided.id, drafted: drafted.id };
}

async function shown(signing: Signing, ids: Record<string, string>) {
  const views = Object.values(ids).map((id) => signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${id}`));
  const trails = Object.values(ids).map((id) => signing.trail(id));
  return { views: (await Promise.all(views)).map(({ body }) => body), trails: await Promise.all(trails) };
}

describe('envelopes at rest', () => {
  it('with the number of a signer are written sealed from the beginning, also before the upgrade is finished', async () => {
    const signing = new Signing(running, store, (await testTenant(store)).apiKey);
    const circuit = await signing.circuit(definitionOf([{ role: 'a', auth: ['otp_sms'] }]));
    const phone = '+573005557391';
    const { id } = await signing.envelope(circuit, [{ role: 'a', phone }], { notify: false });
    const [row] = await store.query('select email, sealed_person from signing.envelope_signer where envelope_id = $1', [
      uuidOf('env', id),
    ]);
    expect(row?.sealed_person).toBeInstanceOf(Buffer);
    expect(await findCanaries((sql, params) => store.query(sql, params), [phone.slice(1)])).toEqual([]);
    expect((await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${id}`)).body.signers).toMatchObject([
      { phone },
    ]);
  });

  it('are written as the release before reads them until the upgrade is finished; then all of it is sealed, and shown as before', async () => {
    const tenant = await testTenant(store);
    const signing = new Signing(running, store, tenant.apiKey);
    const ids = await envelopes(signing);
    const before = await shown(signing, ids);
    const [row] = await store.query(
      `select e.subject, e.message, s.email, s.name, s.field_values ->> 'city' as city, s.signature_text, s.email_index
         from signing.envelope e join signing.envelope_signer s on s.envelope_id = e.id where e.id = $1 and s.role = 'a'`,
      [uuidOf('env', ids.signed)],
    );
    const { email, name, subject, message, value: city, mark: signature_text } = CANARIES;
    expect(row).toEqual({ email, name, subject, message, city, signature_text, email_index: expect.any(Buffer) });

    await store.query(`update signing.personal_data_mode set mode = 'sealed', changed_at = now() - interval '1 hour'`);
    const database = await Database.connect({
      url: store.app('signing'),
      applicationName: 'test',
      schema: 'signing',
      entities: SIGNING_TABLES,
    });
    const personal = running.app.get(PersonalData);
    const logger = createLogger({ app: 'test', level: 'error' });
    const sweep = new SealingSweep({ schema: 'signing', database, personal, logger, tables: SEALED_TABLES });
    await sweep.run();
    await sweep.run();
    await database.close();
    expect(await scan()).toEqual([]);
    const progress = await store.query<{ done_at: Date | null }>('select done_at from signing.sealing_progress');
    expect(progress.every(({ done_at }) => done_at !== null)).toBe(true);
    const after = await shown(signing, ids);
    expect(after).toEqual(before);
    for (const trail of after.trails) expect(verifyChain(trail as never)).toMatchObject({ valid: true });
  }, 120_000);

  it('are nowhere in the store in the clear, neither before an erasure nor after it, and then the keys of the signers are gone', async () => {
    await store.query(`update signing.personal_data_mode set mode = 'sealed'`);
    const tenant = await testTenant(store);
    const signing = new Signing(running, store, tenant.apiKey);
    const ids = await envelopes(signing);
    expect(await scan()).toEqual([]);
    const { views, trails } = await shown(signing, ids);
    const [signed, declined, voided] = views;
    expect(signed).toMatchObject({
      subject: CANARIES.subject,
      message: CANARIES.message,
      signers: [{ name: CANARIES.name }, {}],
    });
    expect(declined?.signers[0]).toMatchObject({ email: CANARIES.email, decline_reason: CANARIES.declined });
    expect(voided?.void_reason).toBe(CANARIES.voided);
    const publicId = signed?.verify_url.split('/').at(-1);
    const published = await running.call<{ signers: object[] }>(`/v1/verify/${publicId}`);
    expect(published.body.signers[0]).toMatchObject({ name_masked: 'C••• I••• T•••' });

    const body = { subject_ref: 'customer-1', email: CANARIES.email.toUpperCase() };
    const erased = await running.call('/v1/erasures', { method: 'POST', key: tenant.apiKey, body });
    expect(erased.body).toMatchObject({
      modules: [{ status: 'done', erased: ['signers'], kept: ['envelope_trails'] }],
    });
    expect(await scan()).toEqual([]);
    const keys = await store.query<{ sealed: boolean; destroyed: boolean }>(
      `select num_nonnulls(s.sealed_person, s.sealed_values, s.sealed_mark, s.email_index) > 0 as sealed,
              k.wrapped_key is null as destroyed
         from signing.envelope_signer s join signing.subject_key k on k.id = s.id where s.tenant_id = $1 and s.role = 'a'`,
      [tenant.id],
    );
    expect(keys).toEqual(Array.from({ length: 4 }, () => ({ sealed: false, destroyed: true })));
    const later = await shown(signing, ids);
    expect(later.views[1]?.signers[0]).toMatchObject({
      email: 'erased@erased.invalid',
      name: null,
      decline_reason: null,
    });
    expect(later.trails[1]).toEqual(trails[1]);
    for (const trail of later.trails) expect(verifyChain(trail as never)).toMatchObject({ valid: true });
  }, 120_000);
});
