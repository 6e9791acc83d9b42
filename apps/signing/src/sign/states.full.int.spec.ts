import { ContractChecker, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { consentText } from '../signer-requests/consent-texts.ts';
import { ANSWERS, definitionOf, type SentEnvelope, Signing } from './sign.fixture.ts';

let database: TestDatabase;
let running: RunningSigning;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
  signing = new Signing(running, database, (await testTenant(database, { credits: 100_000 })).apiKey);
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const REQUESTS: Record<string, object> = {
  consent: { accepted: true, locale: 'en', version: consentText('en').version },
  'otp/send': {},
  'otp/verify': { code: '000000' },
  'access-code': { code: 'nonsense' },
  draft: { fields: {} },
  sign: { ...ANSWERS, fields: {}, signature: { type: 'typed', text: 'Otro' } },
  decline: { reason: 'no' },
  'not-me': {},
};
const METHODS: Record<string, string> = { draft: 'PUT' };

const TWO = definitionOf([{ role: 'a' }, { role: 'b' }]);
const first = ({ signers }: SentEnvelope) => signers.find(({ role }) => role === 'a')?.sign_token as string;
const second = ({ signers }: SentEnvelope) => signers.find(({ role }) => role === 'b')?.sign_token as string;

/** How a signer `a`, of two, gets into each state. */
const STANDINGS: [name: string, allowed: string[], bring: (sent: SentEnvelope) => Promise<unknown>][] = [
  ['pending', [], () => Promise.resolve()],
  ['viewed', ['consent', 'otp/send', 'not-me'], (sent) => signing.state(first(sent))],
  ['consented', ['otp/send', 'not-me'], (sent) => signing.consent(first(sent))],
  ['authenticated', ['draft', 'sign', 'decline', 'not-me'], (sent) => signing.authenticated(first(sent))],
  ['signed', [], (sent) => signing.signed(first(sent))],
  ['signed, by all', [], async (sent) => [await signing.signed(second(sent)), await signing.signed(first(sent))]],
  ['consented, after another declined', [], async (sent) => {
    await signing.consent(first(sent));
    await signing.authenticated(second(sent));
    await signing.post(second(sent), 'decline', { reason: 'x' });
  }],
  ['declined', [], async (sent) => {
    await signing.authenticated(first(sent));
    await signing.post(first(sent), 'decline', { reason: 'x' });
  }],
]; // prettier-ignore

describe.each(STANDINGS)('a signer who is %s', (_, allowed, bring) => {
  test.each(Object.keys(REQUESTS))('%s', async (request) => {
    const sent = await signing.envelope(await signing.circuit(TWO), [{ role: 'a' }, { role: 'b' }]);
    await bring(sent);
    const before = await signing.row(first(sent));
    const { status, body } = await signing.send<Problem & { allowed: string[] }>(
      METHODS[request] ?? 'POST',
      first(sent),
      request,
      REQUESTS[request],
    );
    if (allowed.includes(request)) return expect([200, 202, 204]).toContain(status);
    expect([status, body.type]).toEqual([409, 'http://platform.test/problems/state-conflict']);
    // Before a code was sent there is none to give; the list names it all the same.
    if (Array.isArray(body.allowed)) expect(body.allowed.filter((each) => each !== 'otp/verify')).toEqual(allowed);
    expect(await signing.row(first(sent))).toEqual(before);
  });
});

test('a signer whose turn has not come may do nothing but say that it is somebody else', async () => {
  const definition = definitionOf([{ role: 'b' }, { role: 'a', order: 2 }]);
  const sent = await signing.envelope(await signing.circuit(definition), [{ role: 'a' }, { role: 'b' }]);
  for (const [request, body] of Object.entries(REQUESTS).filter(([name]) => name !== 'not-me')) {
    const { status } = await signing.send<Problem>(METHODS[request] ?? 'POST', first(sent), request, body);
    expect([request, status]).toEqual([request, 409]);
  }
});
