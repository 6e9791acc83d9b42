import { createHash } from 'node:crypto';
import { generateOwnerProofToken } from '@constancia/auth';
import { randomSecret43, uuidv7 } from '@constancia/kernel';
import { testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceivedMail } from '@constancia/dev-servers/mailbox';
import { someIp } from '../running-platform.fixture.ts';
import { mailingPlatform, type MailingPlatform } from './mailing-platform.fixture.ts';
import type { Problem } from '@constancia/testing/calls';

interface Owner {
  id: string;
  key: string;
  address: string;
}

let running: MailingPlatform;
let database: MailingPlatform['database'];
let platform: MailingPlatform['platform'];
let mailbox: MailingPlatform['mailbox'];
let count = 0;

beforeAll(async () => {
  running = await mailingPlatform();
  ({ database, platform, mailbox } = running);
});
afterAll(() => running?.close());

async function signUp(language = 'es'): Promise<Owner> {
  const slug = `dueno-${(++count).toString(36)}-${Date.now().toString(36)}`;
  const address = `owner@${slug}.example`;
  const { body } = await platform.call<{ tenant_id: string; api_key: string }>('/signup', {
    body: { plan: 'sandbox', slug, display_name: 'Notaría Quinta', owner_email: address },
    headers: { 'accept-language': language },
  });
  return { id: body.tenant_id, key: body.api_key, address };
}

const mailsTo = (address: string, number?: number) => running.mailsTo(address, number);

function tokenIn(mail: ReceivedMail | undefined): string {
  const lines = mail?.text.split(/\r?\n/).filter((line) => /^own_[0-9A-Za-z]{43}$/.test(line)) ?? [];
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

const prove = (id: string, token: unknown, headers = {}) =>
  platform.call<{ owner_email_verified_at: string }>(`/tenants/${id}/owner-email/proof`, { body: { token }, headers });
const askAgain = (owner: Owner) =>
  platform.call(`/tenants/${owner.id}/owner-email/proof-mail`, { method: 'POST', key: owner.key });
const verifiedAt = async (owner: Owner): Promise<unknown> =>
  (await platform.call(`/tenants/${owner.id}`, { key: owner.key })).body.owner_email_verified_at;

describe('the address of an owner', () => {
  it('is verified with the token that the sign-up mails, once', async () => {
    const owner = await signUp();
    expect(await verifiedAt(owner)).toBeNull();
    const [mail] = await mailsTo(owner.address);
    const token = tokenIn(mail);
    expect(mail?.subject).toBe('Confirme su dirección de correo: Notaría Quinta');
    expect(mail?.text.split(/\r?\n/)).toContain(`http://platform.test/owner-email#${owner.id}.${token}`);

    const { status, body } = await prove(owner.id, token);
    expect(status).toBe(200);
    expect(await verifiedAt(owner)).toBe(body.owner_email_verified_at);
    expect((await prove(owner.id, token)).status).toBe(401);
    expect(await verifiedAt(owner)).toBe(body.owner_email_verified_at);
    expect(mailbox.messages(owner.address)).toHaveLength(1);
  });

  it('is proven by a mail in the language of the sign-up', async () => {
    const owner = await signUp('en');
    const [mail] = await mailsTo(owner.address);
    expect(mail?.subject).toBe('Confirm your mail address: Notaría Quinta');
    expect(mail?.html).toContain('<html lang="en">');
  });

  it('is not verified by a token of another tenant or an expired one, with the same answer as for an unknown tenant', async () => {
    const [owner, stranger] = [await signUp(), await signUp()];
    const [token, foreign] = [
      tokenIn((await mailsTo(owner.address))[0]),
      tokenIn((await mailsTo(stranger.address))[0]),
    ];
    const [row] = await database.query<{ days: number }>(
      `select extract(epoch from expires_at - created_at)::int / 86400 as days from platform.owner_proof where tenant_id = $1`,
      [owner.id],
    );
    expect(row?.days).toBe(7);
    await database.query(`update platform.owner_proof set expires_at = now() where tenant_id = $1`, [owner.id]);
    const wrong = `own_${randomSecret43()}`;
    const answers = await Promise.all([
      prove(owner.id, token),
      prove(owner.id, foreign),
      prove(owner.id, wrong),
      prove(uuidv7(), foreign),
      prove('not-an-id', wrong),
    ]);
    const texts = answers.map(({ status, text, body }) => {
      const { request_id, instance } = body as unknown as Problem;
      return [status, text.replace(request_id, '').replace(instance, '')].join(' ');
    });
    expect(new Set(texts).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
    expect(await verifiedAt(owner)).toBeNull();
    expect(await verifiedAt(stranger)).toBeNull();
  });

  it('stays unverified when the link is opened: the page waits for a press of its button', async () => {
    const owner = await signUp();
    await mailsTo(owner.address);
    for (const [language, title] of [
      ['es', 'Confirme su dirección de correo'],
      ['en', 'Confirm your mail address'],
    ] as const) {
      const page = await fetch(`${platform.url}/owner-email`, { headers: { 'accept-language': language } });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await page.text()).toContain(`<h1>${title}</h1>`);
    }
    const script = await fetch(`${platform.url}/owner-email/page.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(await script.text()).toContain("addEventListener('click'");
    expect(await verifiedAt(owner)).toBeNull();
  });

  it('gets another mail on request until it is verified, and the first token keeps working', async () => {
    const owner = await signUp();
    const token = tokenIn((await mailsTo(owner.address))[0]);
    expect((await askAgain(owner)).status).toBe(202);
    expect(tokenIn((await mailsTo(owner.address, 2))[0])).not.toBe(token);
    expect((await prove(owner.id, token)).status).toBe(200);
    const refused = await askAgain(owner);
    expect(refused.status).toBe(409);
    expect(refused.body.type).toBe('http://platform.test/problems/state-conflict');
  });

  it('is verified by one of two tokens that are used at once; the other one is refused', async () => {
    const { id } = await testTenant(database, { verified: false });
    const tokens = [generateOwnerProofToken(), generateOwnerProofToken(), generateOwnerProofToken()] as const;
    for (const { hash } of tokens) {
      await database.query(
        `insert into platform.owner_proof (token_hash, tenant_id, expires_at) values ($1, $2, now() + interval '1 day')`,
        [hash, id],
      );
    }
    // Both have their own token and wait for the third one before either goes on.
    const [third, ...used] = tokens;
    const held = database.query(
      `with third as (select from platform.owner_proof where token_hash = $1 for update) select pg_sleep(1) from third`,
      [third.hash],
    );
    const answers = await Promise.all(used.map(({ plaintext }) => prove(id, plaintext)));
    await held;
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('counts as verified for tenants from before the upgrade, and not for later ones', async () => {
    const [column] = await database.query(
      `select attmissingval is not null as existing, atthasdef as later from pg_attribute
        where attrelid = 'platform.tenant'::regclass and attname = 'owner_email_verified_at'`,
    );
    expect(column).toEqual({ existing: true, later: false });
  });

  it('is proven by a token of which only the SHA-256 is stored', async () => {
    const owner = await signUp();
    const token = tokenIn((await mailsTo(owner.address))[0]);
    const rows = await database.query(
      'select to_jsonb(p)::text as text from platform.owner_proof p where tenant_id = $1',
      [owner.id],
    );
    expect(rows).toEqual([{ text: expect.stringContaining(createHash('sha256').update(token).digest('hex')) }]);
    for (const form of [token.slice(4), Buffer.from(token).toString('hex')]) expect(rows[0]?.text).not.toContain(form);
  });
});

describe('the limits of proofs', () => {
  it.each([undefined, 'own_', 5, `own_${'a'.repeat(44)}`])('refuse the token %j as malformed', async (token) => {
    const { status, body } = await prove(uuidv7(), token);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/token' }] });
  });

  it('let an IP address try five times in 15 minutes, and the answer shows that limit', async () => {
    const headers = { 'x-forwarded-for': someIp() };
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await prove(uuidv7(), `own_${randomSecret43()}`, headers));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
    expectLimit(answers[5]?.headers, 5, 900);
  });

  it('let a tenant ask for five mails an hour, and the answer shows that limit', async () => {
    const owner = await signUp();
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await askAgain(owner));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429]);
    expectLimit(answers[5]?.headers, 5, 3_600);
  });
});

function expectLimit(headers: Headers | undefined, limit: number, windowSeconds: number): void {
  const waitSeconds = Number(headers?.get('x-ratelimit-reset')) - Date.now() / 1000;
  expect(headers?.get('x-ratelimit-limit')).toBe(String(limit));
  expect(headers?.get('x-ratelimit-remaining')).toBe('0');
  expect(waitSeconds).toBeGreaterThan(windowSeconds - 60);
  expect(waitSeconds).toBeLessThan(windowSeconds + 5);
  expect(Number(headers?.get('retry-after'))).toBeGreaterThan(windowSeconds - 60);
}
