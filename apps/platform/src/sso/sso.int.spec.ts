import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { type OpenidProvider, startOpenidProvider } from '@constancia/dev-servers/openid-provider';
import { eventually, freePort, testDatabase, type TestDatabase, testMember } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SsoBrowser, ssoPlatform, type SsoPlatform, ssoTenant, type SsoTenant } from './sso-setup.fixture.ts';

let database: TestDatabase;
let platform: SsoPlatform;
let tenant: SsoTenant;
let provider: OpenidProvider;
let mailbox: Mailbox;

beforeAll(async () => {
  database = await testDatabase();
  mailbox = await startMailbox({ smtpPort: await freePort() });
  platform = await ssoPlatform(database, { SMTP_URL: mailbox.smtpUrl });
});
beforeEach(async () => {
  tenant = await ssoTenant(database, platform);
  const { domain, redirectUri } = tenant;
  provider = await startOpenidProvider({
    redirectUris: [redirectUri],
    accounts: [
      { id: 'ana', email: `ana@${domain}`, email_verified: true, name: 'Ana Ruiz', groups: ['analysts'] },
      { id: 'bob', email: `bob@${domain}`, email_verified: true, name: 'Bob Mora', groups: ['lunch'] },
      { id: 'eva', email: `eva@${domain}`, email_verified: false, name: 'Eva Paz', groups: ['analysts'] },
      { id: 'foe', email: 'foe@elsewhere.example', email_verified: true, name: 'Foe', groups: ['analysts'] },
    ],
  });
});
afterEach(() => provider.close().catch(() => undefined));
afterAll(async () => {
  await platform?.close();
  await mailbox?.close();
  await database?.drop();
});

const ROLES = { role_claim: 'groups', role_map: { analysts: 'analyst', auditors: 'auditor', admins: 'admin' } };

async function put(body: object = {}) {
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
  const answer = await platform.call('/v1/sso', {
    method: 'PUT',
    member: tenant.owner.token,
    body: { issuer, client_id, client_secret, domains: [tenant.domain], enforce: false, ...body },
  });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function signIn(account: string, browser = new SsoBrowser(platform.console)): Promise<string> {
  return browser.finish(await provider.signIn(await browser.begin(tenant.slug), account));
}

const memberWith = async (email: string) =>
  (
    await database.query<{ id: string; role: string; status: string; sso_only: boolean }>(
      'select id, role, status, sso_only from platform.member where tenant_id = $1 and email = $2',
      [tenant.id, email],
    )
  )[0];

const invite = (email: string, role: string) =>
  database.query(
    `insert into platform.member (tenant_id, email, name, role, status, created_by) values ($1, $2, 'Invited', $3, 'invited', 'test')`,
    [tenant.id, email, role],
  );

const auditOf = (action: string) =>
  database.query<{ actor_name: string; object_id: string; data: string }>(
    'select actor_name, object_id, data from platform.audit_entry where tenant_id = $1 and type = $2 order by seq',
    [tenant.id, action],
  );

const mailsTo = (email: string, subject: string) =>
  eventually(() => {
    const found = mailbox.messages(email).filter((mail) => mail.subject.includes(subject));
    if (found.length === 0) throw new Error(`no mail "${subject}" to ${email}`);
    return found;
  }, 15_000);

describe('signing in through the provider', () => {
  it('makes a person with a mapped group a member, records it, tells the owners, and signs them in', async () => {
    await put(ROLES);
    const browser = new SsoBrowser(platform.console);
    expect(await signIn('ana', browser)).toBe('signed-in');
    const session = await browser.session();
    expect(session).toMatchObject({
      member: { email: `ana@${tenant.domain}`, role: 'analyst', name: 'Ana Ruiz' },
      session: { method: 'sso' },
    });
    const { body } = await browser.call('POST', '/console/session/token');
    expect((await platform.call('/v1/member-sessions', { member: body.token as string })).status).toBe(200);
    expect(await auditOf('member.provisioned')).toEqual([
      { actor_name: 'single sign-on', object_id: session?.member.id, data: '{"after":{"role":"analyst"}}' },
    ]);
    const [notice] = await mailsTo(tenant.owner.email, 'Nuevo miembro');
    expect(notice?.text).toContain('Ana Ruiz');
  });

  it('refuses a person without a mapped group, an address that is not verified, and one of another domain', async () => {
    await put(ROLES);
    expect(await signIn('bob')).toBe('no_role');
    expect(await signIn('eva')).toBe('email_unverified');
    expect(await signIn('foe')).toBe('foreign_domain');
    const sql = 'select email from platform.member where tenant_id = $1 and email = any ($2)';
    const emails = ['bob', 'eva'].map((name) => `${name}@${tenant.domain}`);
    expect(await database.query(sql, [tenant.id, [...emails, 'foe@elsewhere.example']])).toEqual([]);
  });

  it('sets the role at each sign-in, down as well, and tokens of before get no more than the new one within a second', async () => {
    await put(ROLES);
    const account = provider.accounts.get('ana');
    if (account === undefined) throw new Error('no account');
    account.groups = ['auditors', 'admins', 'lunch'];
    const browser = new SsoBrowser(platform.console);
    await signIn('ana', browser);
    expect((await browser.session())?.member.role).toBe('admin');
    const { body } = await browser.call('POST', '/console/session/token');
    const asAdmin = body.token as string;
    expect((await platform.call('/v1/members', { member: asAdmin })).status).toBe(200);
    account.groups = ['analysts'];
    expect(await signIn('ana')).toBe('signed-in');
    await eventually(async () => {
      expect((await platform.call('/v1/members', { member: asAdmin })).status).toBe(403);
    }, 1_000);
    const [entry] = await auditOf('member.changed');
    expect(JSON.parse(entry?.data ?? '')).toEqual({ before: { role: 'admin' }, after: { role: 'analyst' } });
    account.groups = [];
    expect(await signIn('ana')).toBe('no_role');
  });

  it('never changes an owner, and never makes one', async () => {
    await put(ROLES);
    await invite(`bob@${tenant.domain}`, 'owner');
    const browser = new SsoBrowser(platform.console);
    expect(await signIn('bob', browser)).toBe('signed-in');
    expect((await browser.session())?.member.role).toBe('owner');
    const answer = await platform.call('/v1/sso', {
      method: 'PUT',
      member: tenant.owner.token,
      body: {
        ...{ issuer: provider.issuer, client_id: 'c', client_secret: 's', domains: [tenant.domain], enforce: false },
        ...{ role_claim: 'groups', role_map: { chiefs: 'owner' } },
      },
    });
    expect(answer.status).toBe(400);
  });

  it('without a map of roles signs in invited members alone, and accepts their invitation', async () => {
    await put();
    expect(await signIn('ana')).toBe('not_invited');
    await invite(`ANA@${tenant.domain}`, 'sender');
    const browser = new SsoBrowser(platform.console);
    expect(await signIn('ana', browser)).toBe('signed-in');
    expect((await browser.session())?.member.role).toBe('sender');
    expect(await memberWith(`ANA@${tenant.domain}`)).toMatchObject({ role: 'sender', status: 'active' });
  });

  it('refuses a suspended member, and another account that got the address of one', async () => {
    await put(ROLES);
    await signIn('ana');
    provider.accounts.set('new', { ...provider.accounts.get('ana'), id: 'new' });
    expect(await signIn('new')).toBe('other_account');
    await database.query(`update platform.member set status = 'suspended' where tenant_id = $1 and email = $2`, [
      tenant.id,
      `ana@${tenant.domain}`,
    ]);
    expect(await signIn('ana')).toBe('suspended');
  });

  it('signs nobody in to a suspended tenant: it does not begin, and what began before ends on the page', async () => {
    await put(ROLES);
    const browser = new SsoBrowser(platform.console);
    const back = await provider.signIn(await browser.begin(tenant.slug), 'ana');
    const setSuspended = (at: Date | null) =>
      database.query('update platform.tenant set suspended_at = $2 where id = $1', [tenant.id, at]);
    await setSuspended(new Date());
    expect(await browser.finish(back)).toBe('tenant_suspended');
    expect(await memberWith(`ana@${tenant.domain}`)).toBeUndefined();
    const begun = await browser.call('POST', '/console/sso', { slug: tenant.slug });
    expect([begun.status, begun.body.type]).toEqual([403, expect.stringMatching(/\/tenant-suspended$/)]);
    await setSuspended(null);
    expect(await signIn('ana', browser)).toBe('signed-in');
  });

  it('gives no codes to an address that nobody but the provider has shown to be theirs, until a mailed link is opened', async () => {
    await put(ROLES);
    await signIn('ana');
    const email = `ana@${tenant.domain}`;
    const browser = new SsoBrowser(platform.console);
    await browser.call('POST', '/console/session/code', { email });
    await eventually(async () => {
      expect(await database.query('select 1 from platform.member_mail where email = $1', [email])).toEqual([]);
    }, 15_000);
    expect(mailbox.messages(email)).toEqual([]);
    const member = await memberWith(email);
    const { data } = (await platform.call('/v1/members', { member: tenant.owner.token })).body as {
      data: { id: string; email: string }[];
    };
    const id = data.find((row) => row.email === email)?.id;
    expect(member?.sso_only).toBe(true);
    const resent = await platform.call(`/v1/members/${id}/resend`, { method: 'POST', member: tenant.owner.token });
    expect(resent.status).toBe(202);
    const [mail] = await mailsTo(email, 'Invitación');
    const token = /#token=(inv_[0-9A-Za-z]{43})/.exec(mail?.text ?? '')?.[1];
    expect((await browser.call('POST', '/console/session/link', { token })).status).toBe(200);
    expect((await memberWith(email))?.sso_only).toBe(false);
  });

  it('tells the way to the provider to members alone, in the mail with the code', async () => {
    await put();
    const browser = new SsoBrowser(platform.console);
    const { status, body } = await browser.call('POST', '/console/session/code', { email: tenant.owner.email });
    const unknown = await browser.call('POST', '/console/session/code', { email: `nobody@${tenant.domain}` });
    expect([unknown.status, unknown.body]).toEqual([status, body]);
    const [mail] = await mailsTo(tenant.owner.email, 'código');
    expect(mail?.text).toContain(`${platform.console}/console/sso/${tenant.slug}`);
  });

  it('says that the provider is down, changes nothing, and works again afterwards', async () => {
    await put(ROLES);
    const browser = new SsoBrowser(platform.console);
    const back = await provider.signIn(await browser.begin(tenant.slug), 'ana');
    await provider.close();
    expect(await browser.finish(back)).toBe('unavailable');
    expect(await memberWith(`ana@${tenant.domain}`)).toBeUndefined();
    await provider.reopen();
    expect(await signIn('ana', browser)).toBe('signed-in');
  });
});

describe('single sign-on that is required', () => {
  const refusedWith = async (token: string) => (await platform.call('/v1/member-sessions', { member: token })).status;

  it('ends the other sessions of members within a second, not those of owners, and is the same setting as required_method', async () => {
    const [analyst, viaSso] = [
      await testMember(database, tenant.id, 'analyst'),
      await testMember(database, tenant.id, 'analyst', { method: 'sso' }),
    ];
    expect(await refusedWith(analyst.token)).toBe(200);
    expect(await put({ enforce: true })).toMatchObject({ enforce: true });
    await eventually(async () => expect(await refusedWith(analyst.token)).toBe(401), 1_000);
    expect(await refusedWith(viaSso.token)).toBe(200);
    expect(await refusedWith(tenant.owner.token)).toBe(200);
    const settings = await platform.call('/v1/sign-in-settings', { member: tenant.owner.token });
    expect(settings.body).toEqual({ required_method: 'sso' });
    await platform.call('/v1/sign-in-settings', {
      method: 'PUT',
      member: tenant.owner.token,
      body: { required_method: null },
    });
    expect((await platform.call('/v1/sso', { member: tenant.owner.token })).body).toMatchObject({ enforce: false });
  });

  it('does not take a code of a member; of an owner it does, which the audit log and the other owners learn', async () => {
    const [analyst, other] = [
      await testMember(database, tenant.id, 'analyst'),
      await testMember(database, tenant.id, 'owner', { name: 'Otra Dueña' }),
    ];
    await put({ enforce: true });
    const withCode = async (email: string) => {
      const browser = new SsoBrowser(platform.console);
      await browser.call('POST', '/console/session/code', { email });
      const [mail] = await mailsTo(email, 'código');
      const code = /^(\d{6})\r?$/m.exec(mail?.text ?? '')?.[1];
      const { body } = await browser.call('POST', '/console/session', { email, code });
      return { body, session: await browser.session() };
    };
    expect(await withCode(analyst.email)).toMatchObject({ body: { required: 'sso' }, session: null });
    const { session } = await withCode(other.email);
    expect(session?.member.role).toBe('owner');
    expect(await auditOf('member.sso_bypassed')).toEqual([
      { actor_name: 'Otra Dueña', object_id: session?.member.id, data: '{"after":{"method":"code"}}' },
    ]);
    const [notice] = await mailsTo(tenant.owner.email, 'sin inicio de sesión único');
    expect(notice?.text).toContain('Otra Dueña');
    expect(mailbox.messages(other.email).filter(({ subject }) => subject.includes('único'))).toEqual([]);
  });

  it('does not count for somebody who stops being an owner: their other sessions end', async () => {
    const other = await testMember(database, tenant.id, 'owner');
    await put({ enforce: true });
    expect(await refusedWith(other.token)).toBe(200);
    await database.query(`update platform.member set role = 'admin' where id = $1`, [other.id]);
    await eventually(async () => expect(await refusedWith(other.token)).toBe(401), 1_000);
  });

  it('cannot be required without a provider', async () => {
    const { status } = await platform.call('/v1/sign-in-settings', {
      method: 'PUT',
      member: tenant.owner.token,
      body: { required_method: 'sso' },
    });
    expect(status).toBe(409);
  });

  it('ends with the provider: its sessions end within a second, and members sign in as before', async () => {
    await put({ enforce: true });
    const viaSso = await testMember(database, tenant.id, 'analyst', { method: 'sso' });
    expect(await refusedWith(viaSso.token)).toBe(200);
    const removed = await platform.call('/v1/sso', { method: 'DELETE', member: tenant.owner.token });
    expect(removed.status).toBe(204);
    await eventually(async () => expect(await refusedWith(viaSso.token)).toBe(401), 1_000);
    expect((await platform.call('/v1/sso', { member: tenant.owner.token })).status).toBe(404);
    const settings = await platform.call('/v1/sign-in-settings', { member: tenant.owner.token });
    expect(settings.body).toEqual({ required_method: null });
    expect((await platform.call('/v1/sso', { method: 'DELETE', member: tenant.owner.token })).status).toBe(404);
  });
});
