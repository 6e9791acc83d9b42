import { isUuid, SecretBox } from '@constancia/kernel';
import { parseApiKey } from '@constancia/auth';
import { productionVariables, TEST_SECRETS_KEY, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform, someIp } from '../running-platform.fixture.ts';
import { webhookSecretContext } from '../tenants/webhook-secret.ts';

interface SignedUp {
  tenant_id: string;
  slug: string;
  plan: string;
  environment: string;
  api_key: string;
  webhook_secret: string;
  created_at: string;
}

let database: TestDatabase;
let platform: RunningPlatform;
let count = 0;

const newSlug = (): string => `notaria-${(++count).toString(36)}-${Date.now().toString(36)}`;
const signUpBody = (changes: Record<string, unknown> = {}) => ({
  plan: 'sandbox',
  slug: newSlug(),
  display_name: 'Notaría Quinta',
  owner_email: 'dueña@notaria.example',
  ...changes,
});

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
});

afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

describe('POST /signup', () => {
  it('creates a tenant with a key that works and 1,000 credits', async () => {
    const body = signUpBody();
    const { status, headers, body: tenant } = await platform.call<SignedUp>('/signup', { body });

    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(tenant).sort()).toEqual([
      'api_key',
      'created_at',
      'environment',
      'plan',
      'slug',
      'tenant_id',
      'webhook_secret',
    ]);
    expect(isUuid(tenant.tenant_id)).toBe(true);
    expect(tenant.tenant_id[14]).toBe('7');
    expect(tenant).toMatchObject({ slug: body.slug, plan: 'sandbox', environment: 'sandbox' });
    expect(tenant.api_key).toMatch(/^test_[0-9A-Za-z]{49}$/);
    expect(parseApiKey(tenant.api_key)).toEqual({ environment: 'sandbox' });
    expect(tenant.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(tenant.created_at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

    const balance = await platform.call('/v1/billing/balance', { key: tenant.api_key });
    expect(balance.body).toEqual({ available: 1000, held: 0 });
  });

  it('keeps neither the key nor the webhook secret in the clear', async () => {
    const { body: tenant } = await platform.call<SignedUp>('/signup', { body: signUpBody() });

    const [row] = await database.query<{ webhook_secret: Buffer }>(
      'select webhook_secret from platform.tenant where id = $1',
      [tenant.tenant_id],
    );
    const sealed = (row as { webhook_secret: Buffer }).webhook_secret;
    const box = SecretBox.fromText(TEST_SECRETS_KEY);
    expect(box.open(sealed, webhookSecretContext(tenant.tenant_id)).toString()).toBe(tenant.webhook_secret);

    const [dump] = await database.query<{ everything: string }>(
      `select (select jsonb_agg(to_jsonb(t)) from platform.tenant t)::text
              || (select jsonb_agg(to_jsonb(k)) from platform.api_key k)::text as everything`,
    );
    expect(dump?.everything).not.toContain(tenant.api_key);
    expect(dump?.everything).not.toContain(tenant.webhook_secret.slice(6));
  });

  it('answers 409 duplicate-key for a slug that is taken', async () => {
    const body = signUpBody();
    await platform.call('/signup', { body });
    const again = await platform.call('/signup', { body });

    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({ type: 'http://platform.test/problems/duplicate-key', status: 409 });
    expect(again.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('lets one of many concurrent sign-ups with one slug win, and leaves nothing of the others', async () => {
    const body = signUpBody();
    const answers = await Promise.all(Array.from({ length: 12 }, () => platform.call('/signup', { body })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(11).fill(409)]);
    const winner = answers.find(({ status }) => status === 201)?.body as unknown as SignedUp;
    const [rows] = await database.query<{ tenants: number; orphans: number }>(
      `select (select count(*)::int from platform.tenant where slug = $1) as tenants,
              (select count(*)::int from platform.api_key k left join platform.tenant t on t.id = k.tenant_id where t.id is null) as orphans`,
      [body.slug],
    );
    expect(rows).toEqual({ tenants: 1, orphans: 0 });
    expect((await platform.call('/v1/billing/balance', { key: winner.api_key })).body).toEqual({
      available: 1000,
      held: 0,
    });
  });

  it('reports every broken rule at once, with pointers', async () => {
    const { status, body } = await platform.call<{ errors: { pointer: string; code: string }[] }>('/signup', {
      body: { plan: 'gold', slug: '-A', display_name: '', owner_email: 'nobody', tenant_id: 'x' },
    });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'http://platform.test/problems/validation-error' });
    const pointers = new Set(body.errors.map(({ pointer }) => pointer));
    expect([...pointers].sort()).toEqual(['/display_name', '/owner_email', '/plan', '/slug', '/tenant_id']);
  });

  it.each(['a', '-ab', 'ab-', 'a--b', 'Ab', 'a_b', 'ñandu', 'a b', 'ab\n', `a${'b'.repeat(40)}`, 5, null])(
    'refuses the slug %j',
    async (slug) => {
      const { status, body } = await platform.call<{ errors: { pointer: string }[] }>('/signup', {
        body: signUpBody({ slug }),
      });
      expect(status).toBe(400);
      expect(body.errors.map(({ pointer }) => pointer)).toEqual(['/slug']);
    },
  );

  it.each([
    ['display_name', 'x'.repeat(121)],
    ['display_name', '   '],
    ['display_name', 'a\r\nBcc: x@example.com'],
    ['display_name', 'a\u2028b'],
    ['display_name', 'Banco\u200b'],
    ['display_name', 'B\u0430nco'],
    ['owner_email', 'a@b'],
    ['owner_email', '"a\\"@b"@c.example'],
    ['owner_email', 'Owner <owner@c.example>'],
    ['owner_email', 'a@c.example\r\nBcc: x@example.com'],
    ['owner_email', `${'a'.repeat(64)}@${'b'.repeat(200)}.example`],
  ])('refuses the %s %j', async (member, value) => {
    const { status, body } = await platform.call<{ errors: { pointer: string }[] }>('/signup', {
      body: signUpBody({ [member]: value }),
    });
    expect(status).toBe(400);
    expect(new Set(body.errors.map(({ pointer }) => pointer))).toEqual(new Set([`/${member}`]));
  });

  it('offers only the sandbox plan in a sandbox deployment', async () => {
    const { status, body } = await platform.call<{ errors: { pointer: string }[] }>('/signup', {
      body: signUpBody({ plan: 'standard' }),
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'http://platform.test/problems/validation-error',
      errors: [{ pointer: '/plan' }],
    });
  });

  it('lets an IP address through five times in 15 minutes', async () => {
    const headers = { 'x-forwarded-for': someIp() };
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await platform.call('/signup', { body: signUpBody(), headers }));

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toBe('5');
    expect(answers[0]?.headers.get('x-ratelimit-remaining')).toBe('4');
    const refused = answers[5];
    expect(refused?.body).toMatchObject({ type: 'http://platform.test/problems/rate-limit-exceeded' });
    const waitSeconds = Number(refused?.headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(waitSeconds).toBeGreaterThan(800);
    expect(waitSeconds).toBeLessThan(905);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(800);

    const other = await platform.call('/signup', { body: signUpBody() });
    expect(other.status).toBe(201);
  });
});

describe('POST /signup in production', () => {
  it('offers only the standard plan: a live key and no credits', async () => {
    const production = await runningPlatform(database, {
      ...productionVariables(),
      CONSOLE_URL: 'https://console.example.com',
      PERSON_URL: 'https://person.example.com',
      BASE_URL: 'https://api.example.com',
      COMPLIANCE_URL: 'https://compliance.example.com',
      SIGNING_URL: 'https://signing.example.com',
      WEBHOOK_ALLOW_LOOPBACK: 'false',
    });
    try {
      const refused = await production.call('/signup', { body: signUpBody() });
      expect(refused.status).toBe(400);

      const { status, body: tenant } = await production.call<SignedUp>('/signup', {
        body: signUpBody({ plan: 'standard' }),
      });
      expect(status).toBe(201);
      expect(tenant).toMatchObject({ plan: 'standard', environment: 'production' });
      expect(tenant.api_key).toMatch(/^live_/);
      const balance = await production.call('/v1/billing/balance', { key: tenant.api_key });
      expect(balance.body).toEqual({ available: 0, held: 0 });

      const elsewhere = await platform.call('/v1/billing/balance', { key: tenant.api_key });
      expect(elsewhere.status).toBe(401);
    } finally {
      await production.close();
    }
  });
});
