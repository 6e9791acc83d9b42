import { uuidv7 } from '@constancia/kernel';
import {
  eventually,
  freePort,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mailbox, type ReceivedMail, startMailbox } from '@constancia/dev-servers/mailbox';
import { type RunningPlatform, runningPlatform, someIp } from '../running-platform.fixture.ts';

interface Rotated {
  api_key: string;
  rotated_at: string;
  previous_key_expires_at: string;
}

let database: TestDatabase;
let platform: RunningPlatform;
let mailbox: Mailbox;

beforeAll(async () => {
  database = await testDatabase();
  mailbox = await startMailbox({ smtpPort: await freePort() });
  platform = await runningPlatform(database, { SMTP_URL: mailbox.smtpUrl });
});

afterAll(async () => {
  await platform?.close();
  await mailbox?.close();
  await database?.drop();
});

const ownerOf = (tenant: TestTenant): string => `owner@${tenant.slug}.example`;

const ask = (id: string, ownerEmail: unknown, headers = {}) =>
  platform.call(`/tenants/${id}/api-key-recovery`, { body: { owner_email: ownerEmail }, headers });

const rotateWith = (id: string, token: string, body?: unknown) =>
  platform.call<Rotated>(`/tenants/${id}/rotate-api-key`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}` },
  });

const statusOf = async (key: string): Promise<number> => (await platform.call('/v1/billing/balance', { key })).status;

/** The newest mail to an address, once there are so many. */
const mailTo = (address: string, count = 1): Promise<ReceivedMail> =>
  eventually(() => {
    const [newest, ...others] = mailbox.messages(address);
    if (!newest || others.length + 1 < count) throw new Error(`${others.length} mails to ${address}, not ${count} yet`);
    return newest;
  });

/** The line of the text part that is a token and nothing else. */
function tokenIn(mail: ReceivedMail): string {
  const lines = mail.text.split(/\r?\n/).filter((line) => /^rec_[0-9A-Za-z]{43}$/.test(line));
  expect(lines).toHaveLength(1);
  return lines[0] as string;
}

async function recoveryToken(tenant: TestTenant): Promise<string> {
  const sent = mailbox.messages(ownerOf(tenant)).length;
  expect((await ask(tenant.id, ownerOf(tenant))).status).toBe(202);
  return tokenIn(await mailTo(ownerOf(tenant), sent + 1));
}

const everyRequestIsDone = () =>
  eventually(async () => expect(await database.query('select 1 from platform.recovery_request')).toEqual([]));

describe('the recovery of a lost API key', () => {
  it('mails a token with which the key is replaced at once', async () => {
    const tenant = await testTenant(database);
    const token = await recoveryToken(tenant);
    const { status, body } = await rotateWith(tenant.id, token, { grace_seconds: 600 });

    expect(status).toBe(200);
    expect(body.previous_key_expires_at).toBe(body.rotated_at);
    expect(await statusOf(body.api_key)).toBe(200);
    await eventually(async () => expect(await statusOf(tenant.apiKey)).toBe(401), 1_000, 20);
  });

  it('writes to the owner in text and HTML, in the language of the tenant', async () => {
    const spanish = await testTenant(database);
    await recoveryToken(spanish);
    const mail = await mailTo(ownerOf(spanish));
    expect(mail.subject).toBe(`Recuperación de la llave de API de Tenant ${spanish.slug}`);
    expect(mail.html).toContain('<html lang="es-CO">');

    const english = await testTenant(database);
    await database.query(`update platform.tenant set locale = 'en' where id = $1`, [english.id]);
    await recoveryToken(english);
    expect((await mailTo(ownerOf(english))).subject).toBe(`API key recovery for Tenant ${english.slug}`);
  });

  it('accepts a token once, and using one ends the others', async () => {
    const tenant = await testTenant(database);
    const [first, second] = [await recoveryToken(tenant), await recoveryToken(tenant)];
    const { body } = await rotateWith(tenant.id, second);

    for (const token of [second, first]) {
      const refused = await rotateWith(tenant.id, token);
      expect(refused.status).toBe(401);
      expect(refused.body).toMatchObject({ type: 'http://platform.test/problems/unauthorized' });
    }
    expect(await statusOf(body.api_key)).toBe(200);
  });

  it('lets one of two requests with one token win', async () => {
    const tenant = await testTenant(database);
    const token = await recoveryToken(tenant);
    const answers = await Promise.all([1, 2, 3].map(() => rotateWith(tenant.id, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(await statusOf(answers.find(({ status }) => status === 200)?.body.api_key ?? '')).toBe(200);
  });

  it('does not burn the token on a request that is not valid', async () => {
    const tenant = await testTenant(database);
    const token = await recoveryToken(tenant);
    expect((await rotateWith(tenant.id, token, { grace_seconds: 'soon' })).status).toBe(400);
    expect((await rotateWith(tenant.id, token)).status).toBe(200);
  });

  it('refuses a token after an hour, on another tenant and of any other form', async () => {
    const [tenant, stranger] = await Promise.all([testTenant(database), testTenant(database)]);
    const token = await recoveryToken(tenant);
    expect((await rotateWith(stranger.id, token)).status).toBe(401);
    expect((await rotateWith(uuidv7(), token)).status).toBe(401);
    expect((await rotateWith('not-an-id', token)).status).toBe(401);
    expect((await rotateWith(tenant.id, `rec_${'0'.repeat(43)}`)).status).toBe(401);
    expect((await rotateWith(tenant.id, 'rec_')).status).toBe(401);
    expect((await rotateWith(tenant.id, tenant.apiKey)).status).toBe(401);

    const [row] = await database.query<{ seconds: number }>(
      `select extract(epoch from expires_at - created_at)::int as seconds from platform.recovery_token where tenant_id = $1`,
      [tenant.id],
    );
    expect(row?.seconds).toBe(3_600);
    await database.query(`update platform.recovery_token set expires_at = now() where tenant_id = $1`, [tenant.id]);
    expect((await rotateWith(tenant.id, token)).status).toBe(401);
    expect(await statusOf(tenant.apiKey)).toBe(200);
  });

  it('gives the token no power over anything else', async () => {
    const tenant = await testTenant(database);
    const headers = { authorization: `Bearer ${await recoveryToken(tenant)}` };
    for (const path of ['/v1/billing/balance', `/tenants/${tenant.id}`]) {
      expect((await platform.call(path, { headers })).status).toBe(401);
    }
  });

  it('stores the token as a hash only', async () => {
    const tenant = await testTenant(database);
    const token = await recoveryToken(tenant);
    const [dump] = await database.query<{ text: string }>(
      'select jsonb_agg(to_jsonb(r))::text as text from platform.recovery_token r',
    );
    expect(dump?.text).not.toContain(token.slice(4));
  });
});

describe('POST /tenants/{id}/api-key-recovery', () => {
  it('answers the same for the owner, another address, an unknown tenant and a malformed id, and mails only the owner', async () => {
    const tenant = await testTenant(database);
    const answers = [
      await ask(tenant.id, ownerOf(tenant).toUpperCase()),
      await ask(tenant.id, 'somebody@else.example'),
      await ask(uuidv7(), ownerOf(tenant)),
      await ask('not-an-id', ownerOf(tenant)),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [202, '{"status":"accepted"}']),
    );

    await mailTo(ownerOf(tenant));
    await everyRequestIsDone();
    expect(mailbox.messages(ownerOf(tenant))).toHaveLength(1);
    expect(mailbox.messages('somebody@else.example')).toEqual([]);
  });

  it('keeps the mail while the mail server cannot be reached, and sends it once it is back', async () => {
    const tenant = await testTenant(database);
    await mailbox.close();
    expect((await ask(tenant.id, ownerOf(tenant))).status).toBe(202);
    await eventually(async () => {
      const [row] = await database.query<{ attempts: number; due_in: number }>(
        'select attempts, extract(epoch from due_at - now())::int as due_in from platform.recovery_request',
      );
      expect(row?.attempts).toBe(1);
      expect(row?.due_in).toBeGreaterThan(30);
      expect(await database.query('select 1 from platform.recovery_token where tenant_id = $1', [tenant.id])).toEqual(
        [],
      );
    });

    mailbox = await startMailbox({ smtpPort: mailbox.smtpPort });
    await database.query('update platform.recovery_request set due_at = now()'); // in place of a minute of waiting
    const token = tokenIn(await mailTo(ownerOf(tenant)));
    expect((await rotateWith(tenant.id, token)).status).toBe(200);
    await everyRequestIsDone();
  });

  it('goes on after a mail that nobody has taken all day', async () => {
    await database.query(
      `insert into platform.recovery_request (id, tenant_id, email_digest, attempts, due_at)
       values ($1, $2, sha256('x'), 90, now() - interval '1 minute')`,
      [uuidv7(), uuidv7()],
    );
    const tenant = await testTenant(database);
    await recoveryToken(tenant);
    await everyRequestIsDone();
  });

  it('mails an owner at most ten times an hour', async () => {
    const tenant = await testTenant(database);
    for (let i = 0; i < 12; i++) expect((await ask(tenant.id, ownerOf(tenant))).status).toBe(202);
    await everyRequestIsDone();
    expect(mailbox.messages(ownerOf(tenant))).toHaveLength(10);
  });

  it.each([undefined, 'nobody', 5, null])('refuses the address %j', async (ownerEmail) => {
    const tenant = await testTenant(database);
    const { status, body } = await ask(tenant.id, ownerEmail);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/owner_email' }] });
  });

  it('lets an IP address through five times in 15 minutes, whichever tenant is named', async () => {
    const headers = { 'x-forwarded-for': someIp() };
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await ask(uuidv7(), 'a@b.example', headers)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});
