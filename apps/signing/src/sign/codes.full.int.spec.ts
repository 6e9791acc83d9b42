import { ContractChecker, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { definitionOf, Signing } from './sign.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  signing = new Signing(running, database, (await testTenant(database, { credits: 10_000 })).apiKey);
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

interface CodeProblem extends Problem {
  attempts_left: number;
  reason: string;
  locked_until?: string;
}

const ACCESS_CODE = 'ceiba-2026';
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

/** A link whose signer has consented. */
async function consented(auth: string[] = ['otp_email']): Promise<string> {
  const { a } = await signing.tokens(definitionOf([{ role: 'a', auth }]), [
    { role: 'a', ...(auth.includes('access_code') && { access_code: ACCESS_CODE }) },
  ]);
  await signing.consent(a as string);
  return a as string;
}

async function sent(): Promise<{ token: string; code: string }> {
  const token = await consented();
  expect((await signing.post(token, 'otp/send')).status).toBe(202);
  return { token, code: await signing.mailedCode(token) };
}

const verify = (token: string, code: string) => signing.post<CodeProblem>(token, 'otp/verify', { code });
const enter = (token: string, code: string) => signing.post<CodeProblem>(token, 'access-code', { code });

describe('a mailed code', () => {
  test('goes to the masked address, is valid for ten minutes, and lets the signer sign', async () => {
    const token = await consented();
    const before = Date.now();
    const { status, body } = await signing.post<{ destination_masked: string; expires_at: string; resend_after: string }>(token, 'otp/send'); // prettier-ignore
    expect([status, body.destination_masked]).toEqual([202, 'a***@c***.co']);
    expect(Date.parse(body.expires_at) - before).toBeGreaterThan(599_000);
    expect(Date.parse(body.expires_at) - before).toBeLessThan(610_000);
    expect(Date.parse(body.resend_after) - before).toBeGreaterThan(59_000);
    expect((await signing.state(token)).auth.otp).toMatchObject({
      sent: true,
      expires_at: body.expires_at,
      attempts_left: 5,
    });
    const code = await signing.mailedCode(token);
    expect((await signing.row(token)).otp_hash).not.toEqual(Buffer.from(code));
    const answer = await signing.post(token, 'otp/verify', { code });
    expect([answer.status, answer.body.next, answer.body.auth.completed]).toEqual([200, 'sign', ['otp_email']]);
    expect((await signing.row(token)).otp_hash).toBeNull();
    expect((await verify(token, code)).status).toBe(409);
  });

  test('is counted when wrong; after five wrong ones the right one is refused, until another is sent', async () => {
    const { token, code } = await sent();
    for (const left of [4, 3, 2, 1, 0]) {
      const { status, body } = await verify(token, wrong(code));
      expect([status, body.attempts_left, body.reason]).toEqual([422, left, left === 0 ? 'locked' : 'wrong']);
    }
    const { status, body } = await verify(token, code);
    expect([status, body.attempts_left, body.reason]).toEqual([422, 0, 'locked']);
    expect((await signing.state(token)).auth.otp?.attempts_left).toBe(0);
    await signing.forgetSends(token);
    expect((await signing.post(token, 'otp/send')).status).toBe(202);
    expect((await verify(token, await signing.mailedCode(token))).status).toBe(200);
  });

  test('is void once another is sent, and after ten minutes', async () => {
    const { token, code } = await sent();
    await signing.forgetSends(token);
    await signing.post(token, 'otp/send');
    const second = await signing.mailedCode(token);
    if (second !== code) expect((await verify(token, code)).status).toBe(422);
    await database.query(
      `update signing.envelope_signer set otp_expires_at = now() where token_hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
    expect((await verify(token, second)).body).toMatchObject({ status: 422, reason: 'expired', attempts_left: 0 });
  });

  test('is not looked for before one was sent', async () => {
    expect((await verify(await consented(), '123456')).status).toBe(409);
  });

  test.each([
    { code: '12345' },
    { code: '1234567' },
    { code: 123456 },
    { code: 'abcdef' },
    { code: '１２３４５６' },
    {},
  ])('of another form is 400 and counts nothing: %j', async (body) => {
    const { token } = await sent();
    expect((await signing.post<Problem>(token, 'otp/verify', body)).status).toBe(400);
    expect((await signing.row(token)).otp_attempts).toBe(0);
  });

  test('is guessed a hundred times at once: five are looked at', async () => {
    const { token, code } = await sent();
    const guesses = Array.from({ length: 99 }, (_, nth) =>
      String((Number(code) + nth + 1) % 1_000_000).padStart(6, '0'),
    );
    const answers = await Promise.all(guesses.map((guess) => verify(token, guess)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    const left = answers.map(({ body }) => body.attempts_left);
    for (const each of [4, 3, 2, 1]) expect(left.filter((one) => one === each)).toHaveLength(1);
    expect((await signing.row(token)).otp_attempts).toBe(5);
    expect((await verify(token, code)).status).toBe(422);
  });

  test('is sent once a minute and five times an hour, however often it is asked for at once', async () => {
    const token = await consented();
    const answers = await Promise.all(Array.from({ length: 20 }, () => signing.post<Problem>(token, 'otp/send')));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.type).toBe('http://platform.test/problems/rate-limit-exceeded');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused?.headers.get('x-ratelimit-limit')).toBe('1');
    expect(Number(refused?.headers.get('x-ratelimit-reset')) - Date.now() / 1000).toBeGreaterThan(50);
    for (let nth = 2; nth <= 5; nth++) {
      await signing.forgetSends(token);
      expect((await signing.post(token, 'otp/send')).status).toBe(202);
    }
    await signing.forgetSends(token);
    const sixth = await signing.post<Problem>(token, 'otp/send');
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3000);
    const [mails] = await database.query(`select count(*)::int as n from signing.signer_mail m
      join signing.envelope_signer s on s.id = m.signer_id where s.token_hash = sha256($1::bytea) and m.kind = 'otp'`, [Buffer.from(token)]); // prettier-ignore
    expect(mails).toEqual({ n: 5 });
  });
});

describe('an access code', () => {
  test('lets the signer sign, in any Unicode form', async () => {
    const { a } = await signing.tokens(definitionOf([{ role: 'a', auth: ['access_code'] }]), [
      { role: 'a', access_code: 'Ñandú-1' },
    ]);
    await signing.consent(a as string);
    const { status, body } = await signing.post(a as string, 'access-code', { code: 'Ñandú-1'.normalize('NFD') });
    expect([status, body.next]).toEqual([200, 'sign']);
  });

  test('is guessed thirty times at once: five are looked at, and then none for fifteen minutes', async () => {
    const token = await consented(['access_code']);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, nth) => enter(token, `wrong-${nth}`)));
    const left = answers.map(({ status, body }) => [status, body.attempts_left].join());
    for (const each of ['422,4', '422,3', '422,2', '422,1']) expect(left.filter((one) => one === each)).toHaveLength(1);
    const locked = await enter(token, ACCESS_CODE);
    expect(locked.body).toMatchObject({ status: 422, attempts_left: 0, reason: 'locked' });
    expect(Date.parse(locked.body.locked_until as string) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect((await signing.state(token)).auth.access_code).toEqual({
      attempts_left: 0,
      locked_until: locked.body.locked_until,
    });
    await database.query(
      `update signing.envelope_signer set code_locked_until = now() where token_hash = sha256($1::bytea)`,
      [Buffer.from(token)],
    );
    expect((await signing.state(token)).auth.access_code).toEqual({ attempts_left: 5, locked_until: null });
    expect((await enter(token, 'wrong')).body.attempts_left).toBe(4);
    expect((await enter(token, ACCESS_CODE)).status).toBe(200);
  });

  test.each([{ code: '' }, { code: 'x'.repeat(65) }, { code: 5 }, {}])('of another form is 400: %j', async (body) => {
    expect((await signing.post<Problem>(await consented(['access_code']), 'access-code', body)).status).toBe(400);
  });
});

describe('a link that took fifty wrong codes', () => {
  const missed = (token: string, misses: number) =>
    database.query(`update signing.envelope_signer set code_misses = $2 where token_hash = sha256($1::bytea)`, [
      Buffer.from(token),
      misses,
    ]);

  test('takes no mailed code any more, and none is sent by it', async () => {
    const { token, code } = await sent();
    await missed(token, 49);
    expect((await verify(token, wrong(code))).body).toMatchObject({ attempts_left: 0, reason: 'locked' });
    expect((await signing.row(token)).code_misses).toBe(50);
    expect((await verify(token, code)).body).toMatchObject({ status: 422, attempts_left: 0, reason: 'locked' });
    await signing.forgetSends(token);
    const refused = await signing.post<Problem & { resend_after: string }>(token, 'otp/send');
    const { envelope, auth } = await signing.state(token);
    expect([refused.status, refused.body.resend_after]).toEqual([429, envelope.expires_at]);
    expect(auth.otp).toMatchObject({ attempts_left: 0, resend_after: envelope.expires_at });
  });

  test('takes no access code any more', async () => {
    const token = await consented(['access_code']);
    await missed(token, 49);
    const last = await enter(token, 'wrong');
    const { envelope, auth } = await signing.state(token);
    expect(last.body).toMatchObject({ status: 422, reason: 'locked', locked_until: envelope.expires_at });
    expect((await enter(token, ACCESS_CODE)).body).toMatchObject({ status: 422, reason: 'locked' });
    expect(auth.access_code).toEqual({ attempts_left: 0, locked_until: envelope.expires_at });
  });
});

describe('several methods', () => {
  test('are done in their order, and the trail records each', async () => {
    const circuit = await signing.circuit(definitionOf([{ role: 'a', auth: ['access_code', 'otp_email'] }]));
    const envelope = await signing.envelope(circuit, [{ role: 'a', access_code: ACCESS_CODE }]);
    const token = envelope.signers[0]?.sign_token as string;
    expect((await signing.consent(token)).next).toBe('access_code');
    expect((await signing.post<Problem>(token, 'otp/send')).status).toBe(409);
    expect((await enter(token, 'nonsense')).status).toBe(422);
    const half = await signing.post(token, 'access-code', { code: ACCESS_CODE });
    expect([half.body.next, half.body.signer.status, half.body.auth.completed]).toEqual(['otp', 'consented', ['access_code']]); // prettier-ignore
    expect((await enter(token, ACCESS_CODE)).status).toBe(409);
    await signing.post(token, 'otp/send');
    const code = await signing.mailedCode(token);
    const whole = await signing.post(token, 'otp/verify', { code });
    expect([whole.body.next, whole.body.signer.status]).toEqual(['sign', 'authenticated']);
    const trail = await signing.trail(envelope.id);
    expect(
      trail
        .filter(({ type }) => /otp_failed|authenticated/.test(type))
        .map(({ type, data: { salt: _, ...data } }) => [type, data]),
    ).toEqual([
      ['signer.otp_failed', { method: 'access_code', outcome: 'wrong', attempts_left: 4 }],
      ['signer.authenticated', { method: 'access_code', outcome: 'verified', complete: false }],
      ['signer.authenticated', { method: 'otp_email', outcome: 'verified', complete: true }],
    ]);
    expect(JSON.stringify(trail)).not.toMatch(new RegExp(`ceiba|"${code}"`));
  });
});
