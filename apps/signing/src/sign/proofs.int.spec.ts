import { createHash } from 'node:crypto';
import { listenForPages } from '@constancia/http';
import { canonicalJson, uuidOf } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { succeeded } from '../circuits/circuits.fixture.ts';
import type { AuditPage, TrailEventView } from '../envelopes/audit-view.ts';
import type { EnvelopeView } from '../envelopes/envelope-view.ts';
import { personDigest } from '../envelope-records/person-digest.ts';
import { type Problem, type RunningSigning, runningSigning, TEST_KEY } from '../running-signing.fixture.ts';
import type { PublicEnvelopeView } from '../verify/public-envelope-view.ts';
import { ANSWERS, definitionOf, EVERY_FIELD, type SentEnvelope, Signing } from './sign.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;
let pages: string;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
  pages = `http://127.0.0.1:${await listenForPages(running.app)}`;
});
beforeEach(async () => {
  tenant = await testTenant(database, { credits: 10_000 });
  signing = new Signing(running, database, tenant.apiKey);
});
afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const tokenOf = ({ signers }: SentEnvelope, at = 0) => signers[at]?.sign_token as string;
const SECRET_DOCUMENT = definitionOf([{ role: 'a' }], { document_access: 'authenticated' });

/** Ages the proofs of a link. */
const age = (token: string, interval: string, columns: string[]) =>
  database.query(
    `update signing.signer_proof set ${columns.map((column) => `${column} = ${column} - $2::interval`).join(', ')}
      where signer_id = (select id from signing.envelope_signer where token_hash = sha256($1::bytea))`,
    [Buffer.from(token), interval],
  );

/** Seals an envelope that all have signed, some days ago. */
const sealed = (id: string, days = 0) =>
  database.query(
    `update signing.envelope set status = 'sealed', document_sha256 = base.base_pdf_sha256, document_key = base.base_pdf_key,
        document_size = base.base_pdf_size, kms_key_arn = $2, signature = '\\x01', signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256',
        signed_at = now() - make_interval(days => $3)
       from signing.circuit base where base.id = circuit_id and envelope.id = $1`,
    [uuidOf('env', id), TEST_KEY.arn, days],
  );

describe('the proof of authentication', () => {
  test('a forwarded link proves nothing after the code was given in another browser', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = tokenOf(sent);
    expect((await signing.authenticated(token)).next).toBe('sign');
    const other = signing.elsewhere();
    const seen = await other.state(token);
    expect([seen.next, seen.auth.completed]).toEqual(['otp', []]);
    expect((await other.sign(token)).status).toBe(409);
    expect((await other.post<Problem>(token, 'decline', { reason: 'no' })).status).toBe(409);
    expect((await other.send<Problem>('PUT', token, 'draft', { fields: {} })).status).toBe(409);
    expect((await signing.row(token)).status).toBe('authenticated');
    expect((await signing.sign(token)).status).toBe(200);
  });

  test('is kept as a hash, and ends 30 minutes after its last use, or after 8 hours', async () => {
    const token = tokenOf(await signing.envelope(await signing.circuit()));
    await signing.consent(token);
    await signing.post(token, 'otp/send');
    const { body } = await signing.post<{ proof: { token: string; expires_at: string } }>(token, 'otp/verify', { code: await signing.mailedCode(token) }); // prettier-ignore
    expect(body.proof.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const minutes = (Date.parse(body.proof.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30);
    const rows = await database.query<{ hash: Buffer }>('select hash from signing.signer_proof where tenant_id = $1', [
      tenant.id,
    ]);
    expect(rows.map(({ hash }) => hash)).toEqual([createHash('sha256').update(body.proof.token).digest()]);
    await age(token, '29 minutes', ['used_at', 'created_at']);
    expect((await signing.state(token)).next).toBe('sign'); // which is a use
    await age(token, '29 minutes', ['used_at', 'created_at']);
    expect((await signing.state(token)).next).toBe('sign');
    await age(token, '31 minutes', ['used_at']);
    expect((await signing.state(token)).next).toBe('otp');
    await signing.forgetSends(token);
    await signing.post(token, 'otp/send');
    await signing.post(token, 'otp/verify', { code: await signing.mailedCode(token) });
    expect((await signing.state(token)).next).toBe('sign');
    await age(token, '8 hours', ['created_at']);
    expect((await signing.state(token)).next).toBe('otp');
  });

  test('the page has it as a cookie of its own link, which counts on requests of the page alone', async () => {
    const circuit = await signing.circuit();
    const [token, second] = [tokenOf(await signing.envelope(circuit)), tokenOf(await signing.envelope(circuit))];
    await signing.consent(token);
    await signing.post(token, 'otp/send');
    const verified = await fetch(`${pages}/v1/sign/${token}/otp/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: await signing.mailedCode(token) }),
    });
    const set = verified.headers.get('set-cookie') ?? '';
    expect(set).toMatch(new RegExp(`^sign_proof=[A-Za-z0-9_-]{43}; Path=/v1/sign/${token}; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$`)); // prettier-ignore
    const cookie = set.split(';')[0] as string;
    const next = async (link: string, headers: Record<string, string>, host = pages) =>
      ((await (await fetch(`${host}/v1/sign/${link}`, { headers: { cookie, ...headers } })).json()) as { next: string })
        .next;
    expect(await next(token, {})).toBe('sign');
    expect(await next(token, { 'sec-fetch-site': 'same-origin' })).toBe('sign');
    expect(await next(token, { 'sec-fetch-site': 'cross-site' })).toBe('otp');
    expect(await next(token, {}, running.url)).toBe('otp'); // the API's host takes the header
    expect(await next(second, {})).toBe('consent');
    const sign = (headers: Record<string, string>) =>
      fetch(`${pages}/v1/sign/${token}/sign`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie, ...headers },
        body: JSON.stringify({ ...ANSWERS, fields: {} }),
      });
    expect((await sign({ 'sec-fetch-site': 'cross-site' })).status).toBe(409);
    expect((await sign({ 'sec-fetch-site': 'same-site', origin: pages })).status).toBe(409);
    expect((await sign({ origin: 'https://evil.example' })).status).toBe(409);
    expect((await sign({})).status).toBe(409);
    expect((await sign({ origin: pages })).status).toBe(200);
  });

  test('covers every method of the role, and ends with the link', async () => {
    const definition = definitionOf([{ role: 'a', auth: ['otp_email', 'access_code'] }]);
    const sent = await signing.envelope(await signing.circuit(definition), [{ role: 'a', access_code: 'ceiba-2026' }]);
    const token = tokenOf(sent);
    expect((await signing.authenticated(token)).next).toBe('access_code');
    expect((await signing.sign(token)).status).toBe(409);
    expect((await signing.elsewhere().state(token)).next).toBe('otp');
    expect((await signing.post(token, 'access-code', { code: 'ceiba-2026' })).body.next).toBe('sign');
    expect(await database.query('select 1 from signing.signer_proof where tenant_id = $1', [tenant.id])).toHaveLength(
      1,
    );
    await signing.asTenant('POST', `/v1/envelopes/${sent.id}/signers/${sent.signers[0]?.id}/rotate-token`);
    expect(await database.query('select 1 from signing.signer_proof where tenant_id = $1', [tenant.id])).toHaveLength(
      0,
    );
  });
});

describe('PUT …/draft', () => {
  test('keeps what was entered for those with the proof, encrypted, until the signature', async () => {
    const sent = await signing.envelope(await signing.circuit(EVERY_FIELD), [{ role: 'a', name: 'Ana' }]);
    const token = tokenOf(sent);
    await signing.authenticated(token);
    const fields = { city: 'Zipaquirá', agrees: false };
    expect((await signing.send('PUT', token, 'draft', { fields })).status).toBe(204);
    expect((await signing.state(token)).draft).toEqual(fields);
    expect((await signing.elsewhere().state(token)).draft).toBeNull();
    const [row] = await database.query<{ sealed: Buffer }>('select sealed from signing.signer_draft where tenant_id = $1', [tenant.id]); // prettier-ignore
    expect(row?.sealed.includes('Zipaquir')).toBe(false);
    const wrong = await signing.send<Problem>('PUT', token, 'draft', { fields: { theirs: 'x', agrees: 'yes' } });
    expect(wrong.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`).sort()).toEqual(['/fields/agrees wrong_type', '/fields/theirs unknown_member']); // prettier-ignore
    expect((await signing.sign(token, { fields: ANSWERS.fields })).status).toBe(200);
    expect(await database.query('select 1 from signing.signer_draft where tenant_id = $1', [tenant.id])).toEqual([]);
  });

  test.each<[string, (sent: SentEnvelope) => Promise<unknown>]>([
    ['the signer declines', (sent) => signing.post(tokenOf(sent), 'decline', { reason: 'x' })],
    ['the envelope is voided', (sent) => signing.asTenant('POST', `/v1/envelopes/${sent.id}/void`, { reason: 'x' })],
    ['an old copy ends it', ({ id }) => database.query(`update signing.envelope set status = 'expired' where id = $1`, [uuidOf('env', id)])],
    ['the link is replaced', ({ id, signers }) => signing.asTenant('POST', `/v1/envelopes/${id}/signers/${signers[0]?.id}/rotate-token`)],
  ])('is erased when %s', async (_, end) => {
    const sent = await signing.envelope(await signing.circuit(EVERY_FIELD));
    await signing.authenticated(tokenOf(sent));
    await signing.send('PUT', tokenOf(sent), 'draft', { fields: { city: 'Cali' } });
    await end(sent);
    expect(await database.query('select 1 from signing.signer_draft where tenant_id = $1', [tenant.id])).toEqual([]);
  }); // prettier-ignore
});

describe('a repeated signature', () => {
  test('with the same values changes nothing, with others it is 409, also once the values are erased', async () => {
    const sent = await signing.envelope(await signing.circuit(EVERY_FIELD), [{ role: 'a', name: 'Ana' }]);
    const token = tokenOf(sent);
    await signing.authenticated(token);
    const fields = { ...ANSWERS.fields, city: 'Cali' };
    expect((await signing.sign(token, { fields })).status).toBe(200);
    for (const erased of [false, true]) {
      if (erased) await database.query(`update signing.envelope_signer set field_values = '{}' where tenant_id = $1`, [tenant.id]); // prettier-ignore
      expect((await signing.sign(token, { fields })).status).toBe(200);
      expect((await signing.sign(token, { fields: { ...fields, city: 'Bogotá' } })).status).toBe(409);
      expect((await signing.elsewhere().sign(token, { fields })).status).toBe(409);
    }
    expect((await signing.trail(sent.id)).filter(({ type }) => type === 'signer.signed')).toHaveLength(1);
  });
});

describe('declining and not-me', () => {
  test('declining needs the code, which can be given before consenting', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = tokenOf(sent);
    await signing.state(token);
    expect((await signing.post<Problem>(token, 'decline', { reason: 'no' })).status).toBe(409);
    await signing.post(token, 'otp/send');
    const { body } = await signing.post(token, 'otp/verify', { code: await signing.mailedCode(token) });
    expect([body.next, body.signer.status]).toEqual(['consent', 'viewed']);
    expect((await signing.post(token, 'decline', { reason: 'no' })).body.envelope.status).toBe('declined');
  });

  test('who authenticated before consenting signs right after it', async () => {
    const token = tokenOf(await signing.envelope(await signing.circuit()));
    await signing.state(token);
    await signing.post(token, 'otp/send');
    await signing.post(token, 'otp/verify', { code: await signing.mailedCode(token) });
    const state = await signing.consent(token);
    expect([state.next, state.signer.status]).toEqual(['sign', 'authenticated']);
    expect((await signing.sign(token)).status).toBe(200);
  });

  test('not-me stops the link without ending anything, and informs the sender by event and mail', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = tokenOf(sent);
    const [signer] = sent.signers;
    await signing.state(token);
    expect((await signing.send('POST', token, 'not-me')).status).toBe(204);
    expect((await signing.get<Problem>(token)).status).toBe(404);
    const shown = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${sent.id}`);
    expect([shown.body.status, shown.body.signers[0]?.not_me_at]).toEqual(['in_progress', expect.any(String)]);
    expect((await signing.trail(sent.id)).at(-1)).toMatchObject({ type: 'signer.not_me', role: 'a' });
    const mails = await database.query('select kind from signing.signer_mail where tenant_id = $1 and kind = $2', [tenant.id, 'not_me']); // prettier-ignore
    expect(mails).toHaveLength(1);
    const events = await database.query<{ event_type: string }>('select event_type from platform.event where tenant_id = $1 order by occurred_at, event_id', [tenant.id]); // prettier-ignore
    expect(events.at(-1)?.event_type).toBe('seal.envelope.not_me');
    expect((await signing.asTenant('POST', `/v1/envelopes/${sent.id}/signers/${signer?.id}/remind`)).status).toBe(409);
    type Link = { sign_token: string };
    const rotated = await signing.asTenant<Link>('POST', `/v1/envelopes/${sent.id}/signers/${signer?.id}/rotate-token`);
    expect((await signing.signed(rotated.body.sign_token)).signer.status).toBe('signed');
  });
});

describe('what a trail records', () => {
  test('opening the link and being shown the document are two events; only the latter is seal.envelope.viewed', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = tokenOf(sent);
    await signing.state(token);
    await signing.get(token, '/document');
    const types = async () => (await signing.trail(sent.id)).map(({ type }) => type);
    expect(await types()).toEqual(['envelope.sent', 'signer.link_opened']);
    await signing.authenticated(token);
    await signing.elsewhere().get(token, '/document');
    expect(await types()).not.toContain('signer.document_shown');
    await signing.get(token, '/document');
    await signing.get(token, '/document');
    expect((await types()).filter((type) => type === 'signer.document_shown')).toHaveLength(1);
    const { body } = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${sent.id}`);
    expect([body.signers[0]?.link_opened_at, body.signers[0]?.viewed_at]).toEqual([expect.any(String), expect.any(String)]); // prettier-ignore
  });

  test('its public hashes do not confirm who was guessed, though every other member is known', async () => {
    const email = 'carolina.mejia@correo.example.co';
    const sent = await signing.envelope(await signing.circuit(), [{ role: 'a', name: 'Carolina Mejía', email }]);
    const { body } = await signing.asTenant<AuditPage>('GET', `/v1/envelopes/${sent.id}/audit`);
    const [{ public_id }] = (await database.query<{ public_id: string }>('select public_id from signing.envelope where id = $1', [uuidOf('env', sent.id)])) as [{ public_id: string }]; // prettier-ignore
    const shown = await running.call<PublicEnvelopeView>(`/v1/verify/${public_id}`);
    const event = body.data[0] as TrailEventView;
    const published = shown.body.trail[0]?.hash;
    const hashWith = (data: Record<string, unknown>) => {
      const { hash: _, ...hashed } = { ...event, data };
      return createHash('sha256').update(event.prev_hash).update(canonicalJson(hashed)).digest('hex');
    };
    expect(hashWith(event.data)).toBe(published); // the tenant, who has the salt, computes it
    const { salt, ...guessable } = event.data;
    expect(salt).toMatch(/^[0-9a-f]{32}$/);
    // The attack: all is known but who it was, even the salt of the person; the right name and address are among the guesses.
    const file = await signing.asTenant<EnvelopeView>('GET', `/v1/envelopes/${sent.id}`);
    const personSalt = String(file.body.signers[0]?.person_salt);
    const signers = guessable.signers as Record<string, unknown>[];
    const digestOf = (person: { email: string; name: string | null }) => personDigest({ ...person, salt: personSalt });
    const right = digestOf({ email, name: 'Carolina Mejía' });
    expect(signers[0]?.person_sha256).toBe(right);
    for (const secret of [String(salt), personSalt, right, email, 'Carolina']) {
      expect(JSON.stringify(shown.body)).not.toContain(secret);
    }
    const names = ['Andrés Ruiz', 'Carolina Mejía', 'Luisa Peña', null];
    const mails = [email, 'carolina.mejia@otro.example', 'c.mejia@correo.example.co'];
    const guesses = names.flatMap((name) => mails.map((mail) => ({ ...guessable, signers: [{ ...signers[0], person_sha256: digestOf({ email: mail, name }) }] }))); // prettier-ignore
    const began = Date.now();
    let tried = 0;
    while (Date.now() - began < 200) {
      for (const guess of guesses) {
        expect(hashWith(guess)).not.toBe(published);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(guesses.length);
    expect(verifyChain(body.data).valid).toBe(true);
  });

  test('a trail that began in the release before still verifies', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const former = { envelope_id: uuidOf('env', sent.id), type: 'signer.viewed', signer_id: sent.signers[0]?.id, role: 'a', data: '{}' }; // prettier-ignore
    await database.query('select signing.record_envelope_event($1, $2)', [tenant.id, JSON.stringify(former)]);
    await signing.state(tokenOf(sent));
    const { body } = await signing.asTenant<AuditPage>('GET', `/v1/envelopes/${sent.id}/audit`);
    expect(body.data.map(({ type }) => type)).toEqual(['envelope.sent', 'signer.viewed', 'signer.link_opened']);
    expect(verifyChain(body.data).valid).toBe(true);
  });
});

describe('after sealing', () => {
  test('document_access: authenticated asks for a fresh code', async () => {
    const sent = await signing.envelope(await signing.circuit(SECRET_DOCUMENT));
    const token = tokenOf(sent);
    await signing.signed(token);
    await sealed(sent.id);
    expect((await signing.get(token, '/document')).status).toBe(200);
    const later = signing.elsewhere();
    expect((await later.get<Problem>(token, '/document')).status).toBe(409);
    const state = await later.state(token);
    expect([state.next, state.document.needs_authentication, state.auth.otp?.sent]).toEqual(['done', true, false]);
    await signing.forgetSends(token);
    expect((await later.post(token, 'otp/send')).status).toBe(202);
    expect((await later.post(token, 'otp/verify', { code: await later.mailedCode(token) })).status).toBe(200);
    expect((await later.get(token, '/document')).status).toBe(200);
  });

  test('a copy of what was signed, marked as not final, is for the proof, until the document is sealed', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = tokenOf(sent);
    await signing.authenticated(token);
    expect((await signing.get<Problem>(token, '/copy')).status).toBe(409);
    const signed = succeeded(await signing.sign(token));
    expect(signed.document.copy_available).toBe(true);
    const copy = await signing.get<unknown>(token, '/copy');
    expect([copy.status, copy.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    expect(copy.headers.get('content-disposition')).toContain('not-final');
    expect((await signing.elsewhere().state(token)).document.copy_available).toBe(false);
    expect((await signing.elsewhere().get<Problem>(token, '/copy')).status).toBe(409);
    await sealed(sent.id);
    expect((await signing.get<Problem>(token, '/copy')).status).toBe(409);
    expect((await signing.state(token)).document.copy_available).toBe(false);
  });

  test('links end 30 days later, and a new one is mailed to the signer, whatever else is asked for', async () => {
    const sent = await signing.envelope(await signing.circuit());
    const token = tokenOf(sent);
    await signing.signed(token);
    await sealed(sent.id, 29);
    expect((await signing.get(token)).status).toBe(200);
    const mails = () => database.query<{ dedupe: string }>(`select dedupe from signing.signer_mail where tenant_id = $1 and kind = 'completed'`, [tenant.id]); // prettier-ignore
    expect((await signing.post(token, 'new-link')).status).toBe(202);
    expect(await mails()).toEqual([]); // it works still
    await sealed(sent.id, 31);
    expect((await signing.get<Problem>(token)).status).toBe(404);
    const answers = [await signing.post(token, 'new-link'), await signing.post('A'.repeat(43), 'new-link'), await signing.post('short', 'new-link')]; // prettier-ignore
    expect(answers.map(({ status, bytes }) => [status, bytes.length])).toEqual([
      [202, 0],
      [202, 0],
      [202, 0],
    ]);
    expect(await mails()).toHaveLength(1);
    await signing.post(token, 'new-link'); // too soon
    expect(await mails()).toHaveLength(1);
    await database.query(`update signing.signer_mail set created_at = created_at - interval '11 minutes' where tenant_id = $1`, [tenant.id]); // prettier-ignore
    const [before] = await database.query('select token_hash from signing.envelope_signer where tenant_id = $1', [tenant.id]); // prettier-ignore
    await signing.post(token, 'new-link'); // the mail got lost: the same link once more
    expect(await mails()).toHaveLength(2);
    expect(await database.query('select token_hash from signing.envelope_signer where tenant_id = $1', [tenant.id])).toEqual([before]); // prettier-ignore
    expect((await signing.get<Problem>(token)).status).toBe(404);
    expect((await signing.trail(sent.id)).at(-1)?.type).toBe('signer.link_renewed');
  });
});
