import {
  eventually,
  ContractChecker,
  testDatabase,
  type TestDatabase,
  testTenant,
  textSenders,
} from '@constancia/testing';
import { findCanaries } from '@constancia/testing/canary-scan';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { definitionOf, type SentEnvelope, Signing } from '../sign/sign.fixture.ts';
import type { AuditPage } from '../envelopes/audit-view.ts';

const LIMITS = { TEXTS_PER_NUMBER: '3', TEXTS_PER_TENANT: '4', PHONE_COUNTRY_CODES: '57,51' };

let database: TestDatabase;
let sink: Mailbox;
let running: RunningSigning;
let signing: Signing;
let nth = 1000;
let phone: string;

beforeAll(async () => {
  [database, sink] = await Promise.all([testDatabase(), startMailbox()]);
  running = await runningSigning(database, {
    env: { ...LIMITS, ...textSenders(sink.url), SMTP_URL: sink.smtpUrl },
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
});
afterAll(async () => {
  await running?.close();
  await Promise.all([sink?.close(), database?.drop()]);
});
beforeEach(async () => {
  signing = await newTenant();
  phone = `+57300555${++nth}`;
});

const newTenant = async () => new Signing(running, database, (await testTenant(database, { credits: 10_000 })).apiKey);

const PHONE = ['otp_sms', 'otp_whatsapp'];

async function sentTo(
  number: string,
  auth: string[],
  by = signing,
): Promise<{ envelope: SentEnvelope; token: string }> {
  const circuit = await by.circuit(definitionOf([{ role: 'a', auth }]));
  const envelope = await by.envelope(circuit, [{ role: 'a', phone: number }]);
  const token = envelope.signers[0]!.sign_token;
  await by.consent(token);
  return { envelope, token };
}

interface Sent extends Problem {
  method: string;
  destination_masked: string;
}
const ask = (token: string, method?: string, by = signing) =>
  by.post<Sent>(token, 'otp/send', method === undefined ? undefined : { method });
const verify = (token: string, code: string) =>
  signing.post<Problem & { reason: string }>(token, 'otp/verify', { code });

const received = (count = 1) =>
  eventually(() => {
    const texts = sink.texts(phone);
    expect(texts).toHaveLength(count);
    return texts;
  }, 10_000);
const lastCode = async (count = 1) => (await received(count))[0]!.text.slice(0, 6);

/** As if the last codes to every number had been sent 70 seconds earlier. */
const minuteLater = async (...tokens: string[]) => {
  await database.query(`update signing.text_taken set taken_at = taken_at - interval '70 seconds'`);
  for (const token of tokens) await signing.forgetSends(token);
};

const trail = async (id: string) =>
  (await signing.asTenant<AuditPage>('GET', `/v1/envelopes/${id}/audit?limit=100`)).body.data;

describe('a code to a phone', () => {
  test('goes by the way that the signer chooses, proves the number, and is nowhere in the store with it', async () => {
    const { envelope, token } = await sentTo(phone, PHONE);
    const masked = `+57 ••• ••• ${phone.slice(-4)}`;
    const { auth } = await signing.state(token);
    expect(auth.otp).toMatchObject({
      channels: PHONE.map((method) => ({ method, destination_masked: masked })),
      ...{ sent: false, sent_by: null, attempts_left: 5 },
    });
    expect((await ask(token, 'otp_email')).body.errors).toMatchObject([{ pointer: '/method', code: 'not_allowed' }]);
    const { status, body } = await ask(token, 'otp_whatsapp');
    expect([status, body.method, body.destination_masked]).toEqual([202, 'otp_whatsapp', masked]);
    expect((await signing.state(token)).auth.otp).toMatchObject({ sent: true, sent_by: 'otp_whatsapp' });
    const code = await lastCode();
    expect(sink.texts(phone)[0]).toMatchObject({ channel: 'whatsapp', to: phone });
    const proven = await signing.post(token, 'otp/verify', { code });
    expect([proven.body.next, proven.body.auth.completed]).toEqual(['sign', ['otp_whatsapp']]);
    expect((await signing.sign(token)).status).toBe(200);

    const shown = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${envelope.id}`);
    expect(shown.body.signers[0]).toMatchObject({ phone, auth: PHONE, auth_completed: ['otp_whatsapp'] });
    const events = await trail(envelope.id);
    const about = (type: string) => events.filter((event) => event.type === type).map(({ data }) => data);
    expect(about('signer.otp_sent')).toMatchObject([{ method: 'otp_whatsapp', destination_masked: masked }]);
    expect(about('signer.authenticated')).toMatchObject([{ method: 'otp_whatsapp', destination_masked: masked }]);
    expect(about('signer.notified')).toContainEqual(expect.objectContaining({ message: 'otp_whatsapp' }));
    const [{ signers } = { signers: [] }] = about('envelope.sent') as { signers: object[] }[];
    expect(signers).toMatchObject([{ phone_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown }]);
    const scan = <Row>(sql: string, params?: unknown[]) => database.query<Row>(sql, params);
    expect(await findCanaries(scan, [phone.slice(1), phone.slice(3)])).toEqual([]);
  });

  test('is locked after five wrong ones, and one that went elsewhere proves nothing', async () => {
    const { token } = await sentTo(phone, ['otp_email', ...PHONE]);
    await ask(token);
    const mailed = await signing.mailedCode(token);
    const other = signing.elsewhere();
    expect((await signing.post(token, 'otp/verify', { code: mailed })).body.next).toBe('otp');
    await signing.forgetSends(token);
    await other.post(token, 'otp/send'); // another browser, which has no proof, is mailed a code
    expect((await verify(token, await signing.mailedCode(token))).status).toBe(409);
    expect((await ask(token, 'otp_sms')).status).toBe(202);
    const code = await lastCode();
    expect((await other.post<Problem>(token, 'otp/verify', { code })).status).toBe(409);
    const wrong = code === '000000' ? '000001' : '000000';
    for (const reason of ['wrong', 'wrong', 'wrong', 'wrong', 'locked']) {
      expect(await verify(token, wrong)).toMatchObject({ status: 422, body: { reason } });
    }
    expect(await verify(token, code)).toMatchObject({ status: 422, body: { reason: 'locked' } });
    expect(await ask(token, 'otp_whatsapp')).toMatchObject({ status: 429, body: { resend_after: expect.any(String) as unknown } }); // prettier-ignore
    await minuteLater(token);
    expect((await ask(token, 'otp_whatsapp')).status).toBe(202);
    expect((await verify(token, await lastCode(2))).status).toBe(200);
  });

  test('counts for its number across envelopes and tenants, and for its tenant', async () => {
    const first = await sentTo(phone, ['otp_sms']);
    const stranger = await newTenant();
    const second = await sentTo(phone, ['otp_sms'], stranger);
    expect((await ask(first.token)).status).toBe(202);
    const soon = await ask(second.token, undefined, stranger);
    expect([soon.status, soon.headers.get('ratelimit-policy')]).toEqual([429, '"texts-per-number";q=1;w=60']);
    await minuteLater();
    expect((await ask(second.token, undefined, stranger)).status).toBe(202);
    await minuteLater(first.token);
    expect((await ask(first.token)).status).toBe(202);
    await minuteLater(first.token);
    const full = await ask(first.token);
    expect([full.status, full.headers.get('ratelimit-policy')]).toEqual([429, '"texts-per-number";q=3;w=86400']);
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(86_000);

    // Two of this tenant's four are left.
    const others = ['+573005550001', '+573005550002', '+573005550003'];
    const asked = [];
    for (const number of others) asked.push(await ask((await sentTo(number, ['otp_sms'])).token));
    expect(asked.map(({ status }) => status)).toEqual([202, 202, 429]);
    expect(asked[2]?.headers.get('ratelimit-policy')).toBe('"texts";q=4;w=86400');
    expect(await database.query(`select distinct length(number_index) as n from signing.text_taken`)).toEqual([
      { n: 32 },
    ]);
  });

  test('is sent again while the service is throttled or fails, given up when it is refused, and never sent late', async () => {
    const { envelope, token } = await sentTo(phone, ['otp_sms']);
    sink.failTexts('throttled', 'unavailable');
    await ask(token);
    await received();
    await minuteLater(token);
    sink.failTexts('opted_out');
    await ask(token);
    await eventually(async () => {
      const failed = (await trail(envelope.id)).filter(({ type }) => type === 'signer.otp_undelivered');
      expect(failed.map(({ data }) => data)).toMatchObject([
        { method: 'otp_sms', reason: 'ConflictException DESTINATION_PHONE_NUMBER_OPTED_OUT' },
      ]);
    }, 10_000);
    expect(sink.texts(phone)).toHaveLength(1);
    await minuteLater(token);
    sink.failTexts('throttled');
    await ask(token);
    const expire = `update signing.signer_mail set expires_at = now() - interval '1 second' where sent_at is null and failed_at is null`;
    await eventually(async () => {
      await database.query(expire);
      const left = await database.query(
        `select kind from signing.signer_mail where sent_at is null and failed_at is null`,
      );
      expect(left).toEqual([]);
    }, 10_000);
    expect(sink.texts(phone).length).toBeLessThanOrEqual(1);
  });

  test('needs a number that can get it, which is erased with the signer', async () => {
    const circuit = await signing.circuit(definitionOf([{ role: 'a', auth: ['otp_sms'] }]));
    const plain = await signing.circuit(definitionOf([{ role: 'a' }]));
    const refused = async (number: string | undefined, of = circuit) => {
      const body = {
        circuit_id: of,
        signers: [{ role: 'a', email: 'a@b.co', ...(number !== undefined && { phone: number }) }],
      };
      const answer = await signing.asTenant('POST', '/v1/envelopes', body);
      return [answer.status, ...(answer.body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)];
    };
    expect(await refused(undefined)).toEqual([400, '/signers/0/phone required']);
    expect(await refused('3001234567')).toEqual([400, '/signers/0/phone not_e164']);
    expect(await refused('+576011234567')).toEqual([400, '/signers/0/phone not_mobile']);
    expect(await refused('+449012345678')).toEqual([400, '/signers/0/phone premium']);
    expect(await refused('+34612345678')).toEqual([400, '/signers/0/phone country_not_served']);
    expect(await refused(phone, plain)).toEqual([400, '/signers/0/phone not_allowed']);

    const sent = await signing.envelope(circuit, [{ role: 'a', email: 'borrar@b.co', phone }]);
    await signing.asTenant('POST', '/v1/erasures', { subject_ref: 'nobody', email: 'borrar@b.co' });
    const shown = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${sent.id}`);
    expect(shown.body.signers[0]).toMatchObject({ email: 'erased@erased.invalid', phone: null });
  });
});
