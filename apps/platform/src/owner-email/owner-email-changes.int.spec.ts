import { eventually, type TestMember, testMember, type TestTenant, testTenant } from '@constancia/testing';
import type { ReceivedMail } from '@constancia/dev-servers/mailbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TenantView } from '../tenants/tenant-view.ts';
import { mailingPlatform, type MailingPlatform } from './mailing-platform.fixture.ts';

interface Asked {
  tenant: TestTenant;
  owner: TestMember;
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

/** A tenant whose owner is signed in: the member of the owner's address has the session of a test member. */
async function tenantWithOwner(): Promise<Asked> {
  const tenant = await testTenant(database);
  const owner = await testMember(database, tenant.id, 'owner');
  const email = `owner@${tenant.slug}.example`;
  await database.query('delete from platform.member where tenant_id = $1 and email = $2', [tenant.id, email]);
  await database.query('update platform.member set email = $2 where id = $1', [owner.id, email]);
  return { tenant, owner: { ...owner, email } };
}

const newAddress = () => `nueva-${++count}@otra.example`;
const ask = ({ tenant }: Asked, member: string | undefined, email: string, key?: string) =>
  platform.call<TenantView>(`/tenants/${tenant.id}`, {
    method: 'PATCH',
    body: { owner_email: email },
    ...(member === undefined ? { key: key as string } : { member }),
  });
const show = async ({ tenant }: Asked) =>
  (await platform.call<TenantView>(`/tenants/${tenant.id}`, { key: tenant.apiKey })).body;
const mailTo = async (address: string) => (await running.mailsTo(address)).at(-1) as ReceivedMail;
const tokenIn = (mail: ReceivedMail, path: string): string =>
  new RegExp(`${path}#[0-9a-f-]{36}\\.(own_[0-9A-Za-z]{43})`).exec(mail.text)?.[1] ?? 'none';
const use = ({ tenant }: Asked, operation: 'proof' | 'stop', token: string) =>
  platform.call(`/tenants/${tenant.id}/owner-email/${operation}`, { body: { token } });
const actions = async ({ tenant }: Asked) => {
  const rows = await database.query<{ type: string; data: string }>(
    'select type, data from platform.audit_entry where tenant_id = $1 order by seq',
    [tenant.id],
  );
  expect(JSON.stringify(rows)).not.toContain('@');
  return rows.map(({ type }) => type);
};

describe('the pages of a change', () => {
  it.each(['change', 'stop'])(
    '/owner-email-%s sends its token where it belongs, once its button is pressed',
    async (name) => {
      const page = await platform.call(`/owner-email-${name}`, { headers: { 'accept-language': 'en' } });
      expect(page.text).toContain(`src="/owner-email-${name}/page.js"`);
      const script = await platform.call(`/owner-email-${name}/page.js`);
      expect(script.text).toContain(`/owner-email/${name === 'stop' ? 'stop' : 'proof'}'`);
      expect(script.text).toContain("addEventListener('click'");
    },
  );
});

describe('another address for the owner', () => {
  it('counts once the new one is proven; the member has it from then on, and their sessions end', async () => {
    const asked = await tenantWithOwner();
    const email = newAddress();
    const { status, body } = await ask(asked, asked.owner.token, email);
    expect(status).toBe(200);
    expect(body).toMatchObject({ owner_email: asked.owner.email, pending_owner_email: { email } });

    const mail = await mailTo(email);
    const token = tokenIn(mail, '/owner-email-change');
    expect((await show(asked)).owner_email).toBe(asked.owner.email);
    expect((await use(asked, 'proof', token)).status).toBe(200);
    expect(await show(asked)).toMatchObject({ owner_email: email, pending_owner_email: null });
    expect((await use(asked, 'proof', token)).status).toBe(401);

    const [member] = await database.query<{ email: string }>('select email from platform.member where id = $1', [
      asked.owner.id,
    ]);
    expect(member?.email).toBe(email);
    await eventually(
      async () => {
        const answer = await platform.call('/v1/billing/balance', { member: asked.owner.token });
        expect(answer.status).toBe(401);
      },
      1_000,
      20,
    );
    expect(await actions(asked)).toEqual(['owner_email.change_requested', 'owner_email.changed']);
  });

  it('is stopped from the present address, and then proves nothing', async () => {
    const asked = await tenantWithOwner();
    const email = newAddress();
    await ask(asked, asked.owner.token, email);
    const proof = tokenIn(await mailTo(email), '/owner-email-change');
    const notice = await mailTo(asked.owner.email);
    expect(notice.text).not.toContain(email);
    const stop = tokenIn(notice, '/owner-email-stop');
    expect((await use(asked, 'proof', stop)).status).toBe(401);
    expect((await use(asked, 'stop', proof)).status).toBe(401);
    expect((await use(asked, 'stop', stop)).status).toBe(200);
    expect((await use(asked, 'proof', proof)).status).toBe(401);
    expect(await show(asked)).toMatchObject({ owner_email: asked.owner.email, pending_owner_email: null });
    expect(await actions(asked)).toEqual(['owner_email.change_requested', 'owner_email.change_stopped']);
  });

  it('of several at once is the last one: the tokens of the others prove nothing', async () => {
    const asked = await tenantWithOwner();
    const emails = [newAddress(), newAddress(), newAddress()];
    await Promise.all(emails.map((email) => ask(asked, asked.owner.token, email)));
    const last = (await show(asked)).pending_owner_email?.email ?? '';
    expect(emails).toContain(last);
    const token = tokenIn(await mailTo(last), '/owner-email-change');
    const others = emails.filter((email) => email !== last).flatMap((email) => mailbox.messages(email));
    for (const mail of others) {
      expect((await use(asked, 'proof', tokenIn(mail, '/owner-email-change'))).status).toBe(401);
    }
    expect((await use(asked, 'proof', token)).status).toBe(200);
    expect((await show(asked)).owner_email).toBe(last);
  });

  it('is asked for by an owner who is signed in: not by a key, an administrator, or for another owner', async () => {
    const asked = await tenantWithOwner();
    const [admin, second] = [
      await testMember(database, asked.tenant.id, 'admin'),
      await testMember(database, asked.tenant.id, 'owner'),
    ];
    expect((await ask(asked, undefined, newAddress(), asked.tenant.apiKey)).status).toBe(403);
    expect((await ask(asked, admin.token, newAddress())).status).toBe(403);
    expect((await ask(asked, second.token, newAddress())).status).toBe(403);
    expect((await ask(asked, second.token, admin.email)).status).toBe(409);
    expect(await actions(asked)).toEqual([]);
  });

  it('may be that of another active owner: then no member changes', async () => {
    const asked = await tenantWithOwner();
    const second = await testMember(database, asked.tenant.id, 'owner');
    expect((await ask(asked, second.token, second.email.toUpperCase())).status).toBe(200);
    const token = tokenIn(await mailTo(second.email.toUpperCase()), '/owner-email-change');
    expect((await use(asked, 'proof', token)).status).toBe(200);
    const rows = await database.query<{ email: string }>(
      'select email from platform.member where tenant_id = $1 order by email',
      [asked.tenant.id],
    );
    expect(rows.map(({ email }) => email).sort()).toEqual([asked.owner.email, second.email].sort());
  });

  it('is refused at its proof when the owner has lost the role since', async () => {
    const asked = await tenantWithOwner();
    const email = newAddress();
    await ask(asked, asked.owner.token, email);
    const token = tokenIn(await mailTo(email), '/owner-email-change');
    await database.query(`update platform.member set role = 'auditor' where id = $1`, [asked.owner.id]);
    expect((await use(asked, 'proof', token)).status).toBe(409);
    expect((await show(asked)).owner_email).toBe(asked.owner.email);
  });

  it('is withdrawn by naming the present one, and asked for five times a day', async () => {
    const asked = await tenantWithOwner();
    for (let nth = 0; nth < 5; nth++) {
      expect((await ask(asked, asked.owner.token, newAddress())).status).toBe(200);
    }
    const withdrawn = await ask(asked, asked.owner.token, asked.owner.email);
    expect(withdrawn.body.pending_owner_email).toBeNull();
    const refused = await ask(asked, asked.owner.token, newAddress());
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-ratelimit-limit')).toBe('5');
  });

  it('ends what was mailed to the former one: recovery tokens do not replace the key', async () => {
    const asked = await tenantWithOwner();
    const email = newAddress();
    await database.query(
      `insert into platform.recovery_token (token_hash, tenant_id, expires_at) values (sha256($2), $1, now() + interval '1 hour')`,
      [asked.tenant.id, Buffer.from(asked.tenant.id)],
    );
    await ask(asked, asked.owner.token, email);
    await use(asked, 'proof', tokenIn(await mailTo(email), '/owner-email-change'));
    const rows = await database.query('select 1 from platform.recovery_token where tenant_id = $1', [asked.tenant.id]);
    expect(rows).toEqual([]);
  });
});
