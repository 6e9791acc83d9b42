import fs from 'node:fs';
import { uuidOf } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import {
  containsNumber,
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { definitionOf, Signing } from './sign.fixture.ts';

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

test('signatures that arrive together have the envelope sealed exactly once, twenty times over', async () => {
  const hint = vi.spyOn(running.app.get(Queues), 'hint');
  const roles = [{ role: 'a' }, { role: 'b' }, { role: 'c' }];
  const circuit = await signing.circuit(definitionOf(roles));
  for (let round = 0; round < 20; round++) {
    const sent = await signing.envelope(circuit, roles);
    const tokens = sent.signers.map(({ sign_token }) => sign_token);
    for (const token of tokens) await signing.authenticated(token);
    hint.mockClear();
    // Two clicks each.
    const answers = await Promise.all([...tokens, ...tokens].map((token) => signing.sign(token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(hint.mock.calls.filter(([queue]) => queue === 'sealing').map(([, message]) => message)).toEqual([
      { v: 1, request_id: uuidOf('env', sent.id) },
    ]);
    const trail = await signing.trail(sent.id);
    expect(trail.filter(({ type }) => type === 'signer.signed').map(({ role }) => role).sort()).toEqual(['a', 'b', 'c']); // prettier-ignore
    expect((await signing.state(tokens[0] as string)).envelope.status).toBe('sealing');
    const [kept] = await database.query<{ whole: boolean }>(
      `select e.trail_seq = v.seq and e.trail_hash = v.hash as whole from signing.envelope e
         join lateral (select seq, hash from signing.envelope_event where envelope_id = e.id order by seq desc limit 1) v on true
        where e.id = $1`,
      [uuidOf('env', sent.id)],
    );
    expect(kept?.whole).toBe(true);
  }
}, 120_000);

test('of a signature and a refusal that arrive together, one counts', async () => {
  const roles = [{ role: 'a' }, { role: 'b' }];
  const circuit = await signing.circuit(definitionOf(roles));
  for (let round = 0; round < 5; round++) {
    const sent = await signing.envelope(circuit, roles);
    const [a, b] = sent.signers.map(({ sign_token }) => sign_token) as [string, string];
    await signing.authenticated(a);
    await signing.authenticated(b);
    const [signed, declined] = await Promise.all([signing.sign(a), signing.post(b, 'decline', { reason: 'no' })]);
    expect(declined.status).toBe(200);
    expect([200, 409]).toContain(signed.status);
    const { signer, envelope } = await signing.state(a);
    expect(envelope.status).toBe('declined');
    expect(signer.status).toBe(signed.status === 200 ? 'signed' : 'authenticated');
  }
});

test('nothing that a signer sends or is sent stands in the log', async () => {
  const log = capturedOutput();
  const loud = await runningSigning(database, { env: { LOG_LEVEL: 'trace' }, check: () => undefined });
  try {
    const own = new Signing(loud, database, (await testTenant(database, { credits: 10_000 })).apiKey);
    const { a: token = '' } = await own.tokens(definitionOf([{ role: 'a', auth: ['otp_email', 'access_code'] }]), [
      { role: 'a', name: 'Canario Cantante', email: 'canario@jaula.example', access_code: 'canario-2026' },
    ]);
    await own.consent(token);
    await own.post(token, 'otp/send');
    const code = await own.mailedCode(token);
    await own.post(token, 'otp/verify', { code });
    await own.post(token, 'access-code', { code: 'canario-2027' });
    await own.post(token, 'access-code', { code: 'canario-2026' });
    await own.post(token, 'nothing', {});
    await own.get(`${token}/x`);
    await own.sign(token, { signature: { type: 'typed', text: 'Canario' } });
    // The logger writes in blocks: with the last request all others are there.
    const logged = await eventually(() => {
      const text = log.text();
      expect(text).toContain('/v1/sign/{token}/sign');
      return text;
    });
    expect(logged).toContain('/v1/sign/{token}/otp/verify');
    for (const secret of [token, 'anario', 'jaula']) expect(logged).not.toContain(secret);
    expect(containsNumber(logged, code)).toBe(false);
  } finally {
    log.restore();
    await loud.close();
  }
});

/** What this process writes to standard output; the logger writes to the file itself, not to the stream. */
function capturedOutput(): { text(): string; restore(): void } {
  const parts: string[] = [];
  const write = fs.write;
  const watched = (fd: number, data: unknown, ...rest: unknown[]) => {
    if (fd === 1) parts.push(String(data));
    return (write as (...all: unknown[]) => void)(fd, data, ...rest);
  };
  fs.write = watched as typeof fs.write;
  return {
    text: () => parts.join(''),
    restore: () => {
      fs.write = write;
    },
  };
}
