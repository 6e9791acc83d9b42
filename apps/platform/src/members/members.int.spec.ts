import { typeId } from '@constancia/kernel';
import {
  eventually,
  freePort,
  testDatabase,
  type TestDatabase,
  testMember,
  type TestMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { type Mailbox, type ReceivedMail, startMailbox } from '@constancia/dev-servers/mailbox';
import type { Problem } from '@constancia/testing/calls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { MemberPage, MemberSessionPage, MemberView } from './member-view.ts';

let database: TestDatabase;
let platform: RunningPlatform;
let mailbox: Mailbox;
let tenant: TestTenant;
let owner: TestMember;

beforeAll(async () => {
  database = await testDatabase();
  mailbox = await startMailbox({ smtpPort: await freePort() });
  platform = await runningPlatform(database, { SMTP_URL: mailbox.smtpUrl });
});
beforeEach(async () => {
  tenant = await testTenant(database);
  owner = await testMember(database, tenant.id, 'owner', { name: 'Olga Dueña' });
});
afterAll(async () => {
  await platform?.close();
  await mailbox?.close();
  await database?.drop();
});

type Invited = Omit<MemberView, 'status'> & Omit<Problem, 'status'> & { status: string };
let count = 0;
const invite = (
  body: object,
  as: { member?: string; key?: string; headers?: Record<string, string> } = { member: owner.token },
) =>
  platform.call<Invited>('/v1/members', {
    body: { email: `m${++count}@equipo.example`, name: 'Ana Ruiz', role: 'analyst', ...body },
    ...as,
  });
const change = (id: string, body: object, member = owner.token) =>
  platform.call<Invited>(`/v1/members/${id}`, { method: 'PATCH', body, member });
const remove = (id: string, member = owner.token) =>
  platform.call<Problem>(`/v1/members/${id}`, { method: 'DELETE', member });
const list = async (query = '') =>
  (await platform.call<MemberPage>(`/v1/members${query}`, { member: owner.token })).body.data;
const mailTo = (address: string): Promise<ReceivedMail> =>
  eventually(() => {
    const [mail] = mailbox.messages(address);
    if (!mail) throw new Error('no mail yet');
    return mail;
  }, 10_000);

describe('inviting a member', () => {
  it('mails a link to the person and a notice to every owner; the audit log has it without name and address', async () => {
    const { status, body } = await invite({ email: 'ana@equipo.example' });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        email: 'ana@equipo.example',
        status: 'invited',
        role: 'analyst',
        created_by: 'Olga Dueña',
      }),
    ]);
    const mail = await mailTo('ana@equipo.example');
    expect(mail.subject).toContain('Invitación');
    expect(
      mail.text.split(/\r?\n/).filter((line) => /\/invitation#token=inv_[0-9A-Za-z]{43}$/.test(line)),
    ).toHaveLength(1);
    expect((await mailTo(owner.email)).text).toContain('Olga Dueña invitó a Ana Ruiz');
    expect((await mailTo(`owner@${tenant.slug}.example`)).subject).toContain('Nuevo miembro');
    const { body: log } = await platform.call<{ data: { action: string }[] }>('/v1/audit-log', { member: owner.token });
    expect(log.data[0]).toMatchObject({ action: 'member.invited', actor: { kind: 'member', name: 'Olga Dueña' } });
    expect(JSON.stringify(log)).not.toMatch(/ana@equipo|Ana Ruiz/);
  });

  it('shows the brand of the tenant in its mails', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    await database.query("update platform.tenant set brand_color = '#0b5a55' where id = $1", [tenant.id]);
    const [logo] = await database.query<{ sha256: string }>(
      `insert into platform.tenant_logo (tenant_id, bytes, sha256, width, height) values ($1, $2, sha256($2), 80, 40)
       returning encode(sha256, 'hex') as sha256`,
      [tenant.id, png],
    );
    const email = `brand-${tenant.slug}@equipo.example`;
    await invite({ email });
    const { html } = await mailTo(email);
    expect(html).toContain(`<img src="http://platform.test/logos/${logo?.sha256}.png" alt=""`);
    expect(html).toContain('solid #0b5a55');
    await database.query("update platform.tenant set brand_color = '#ffcc00' where id = $1", [tenant.id]);
    await invite({ email: `second-${email}` });
    const { html: unreadable } = await mailTo(`second-${email}`);
    expect(unreadable).toContain('<img');
    expect(unreadable).not.toContain('#ffcc00');
  });

  it('happens once for an Idempotency-Key, and once for an address', async () => {
    const headers = { 'idempotency-key': '0196a000-0000-7000-8000-000000000001' };
    const body = { email: 'twice@equipo.example' };
    const first = await invite(body, { member: owner.token, headers });
    const again = await invite(body, { member: owner.token, headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect((await invite({ email: 'TWICE@equipo.example' })).status).toBe(409);
  });

  it('refuses what is no address, role or name', async () => {
    const { status, body } = await invite({ email: 'nobody', role: 'king', name: 'Ana\u200bRuiz' });
    expect([status, body.errors?.map(({ pointer }) => pointer).sort()]).toEqual([400, ['/email', '/name', '/role']]);
  });

  it('waits while the address of the owner is not verified', async () => {
    const fresh = await testTenant(database, { verified: false });
    await platform.call('/v1/members', {
      key: fresh.apiKey,
      body: { email: 'w@equipo.example', name: 'W', role: 'auditor' },
    });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(mailbox.messages('w@equipo.example')).toEqual([]);
    await database.query('update platform.tenant set owner_email_verified_at = now() where id = $1', [fresh.id]);
    await mailTo('w@equipo.example');
  });
});

describe('an invited member', () => {
  it('is shown, and is mailed the invitation again with another link while they have not joined', async () => {
    const { body } = await invite({ email: `again-${tenant.slug}@equipo.example` });
    expect((await platform.call<MemberView>(`/v1/members/${body.id}`, { member: owner.token })).body).toMatchObject({
      id: body.id,
      status: 'invited',
    });
    await mailTo(body.email);
    const resent = await platform.call(`/v1/members/${body.id}/resend`, { method: 'POST', member: owner.token });
    expect(resent.status).toBe(202);
    const links = await eventually(() => {
      const found = mailbox.messages(body.email).map(({ text }) => /#token=(inv_\w{43})/.exec(text)?.[1]);
      if (found.length < 2) throw new Error('no second mail yet');
      return found;
    }, 10_000);
    expect(new Set(links).size).toBe(2);
    const { invitation_ends_at: ends } = (
      await platform.call<MemberView>(`/v1/members/${body.id}`, { member: owner.token })
    ).body;
    expect(Date.parse(ends ?? '') - Date.now()).toBeGreaterThan(7 * 86_400_000 - 120_000);
    const joined = typeId('mbr', owner.id);
    expect((await platform.call(`/v1/members/${joined}/resend`, { method: 'POST', member: owner.token })).status).toBe(
      409,
    );
  });
});

describe('who may change members', () => {
  it('gives only roles whose scopes they hold, and owners are for owners who are signed in', async () => {
    await database.query(`update platform.api_key set scopes = '{members:write}' where tenant_id = $1`, [tenant.id]);
    const byKey = await invite({ role: 'billing' }, { key: tenant.apiKey });
    expect([byKey.status, byKey.body.detail]).toEqual([403, expect.stringContaining('billing:read')]);
    const admin = await testMember(database, tenant.id, 'admin');
    expect((await invite({ role: 'admin' }, { member: admin.token })).status).toBe(201);
    expect((await invite({ role: 'owner' }, { member: admin.token })).status).toBe(403);
    expect((await invite({ role: 'owner' }, { key: tenant.apiKey })).status).toBe(403);
    expect((await change(typeId('mbr', owner.id), { role: 'admin' }, admin.token)).status).toBe(403);
    expect((await remove(typeId('mbr', owner.id), admin.token)).status).toBe(403);
    expect((await invite({ role: 'owner' })).status).toBe(201);
  });

  it('has nothing to do with the members of another tenant: 404', async () => {
    const other = await testTenant(database);
    const stranger = await testMember(database, other.id, 'owner');
    const id = typeId('mbr', owner.id);
    const calls = [
      platform.call(`/v1/members/${id}`, { member: stranger.token }),
      platform.call(`/v1/members/${id}/sessions`, { member: stranger.token }),
      platform.call(`/v1/members/${id}/resend`, { method: 'POST', member: stranger.token }),
      platform.call(`/v1/members/${id}/sessions/${typeId('mss', owner.sessionId)}`, {
        method: 'DELETE',
        member: stranger.token,
      }),
      change(id, { role: 'auditor' }, stranger.token),
      remove(id, stranger.token),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await platform.call<MemberPage>('/v1/members', { member: stranger.token })).body.data).toHaveLength(2);
  });
});

describe('the owners of a tenant', () => {
  const ids = async () => (await list('?role=owner&order=asc')).map(({ id }) => id);

  it('are at first the address of the sign-up', async () => {
    expect(await list()).toContainEqual(
      expect.objectContaining({ email: `owner@${tenant.slug}.example`, role: 'owner', status: 'active' }),
    );
  });

  it('are never none: the last one is not removed, suspended or given another role', async () => {
    const [first] = (await ids()).filter((id) => id !== typeId('mbr', owner.id));
    expect((await remove(first as string)).status).toBe(204);
    const last = typeId('mbr', owner.id);
    const answers = [
      await remove(last),
      await change(last, { role: 'admin' }),
      await change(last, { status: 'suspended' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await platform.call('/v1/members', { member: owner.token })).status).toBe(200);
  });

  it('are never none when two remove each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const fresh = await testTenant(database);
      await database.query('delete from platform.member where tenant_id = $1', [fresh.id]);
      const [a, b] = [await testMember(database, fresh.id, 'owner'), await testMember(database, fresh.id, 'owner')];
      const answers = await Promise.all([remove(typeId('mbr', b.id), a.token), remove(typeId('mbr', a.id), b.token)]);
      expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
      expect(await database.query('select 1 from platform.member where tenant_id = $1', [fresh.id])).toHaveLength(1);
    }
  });
});

describe('a member', () => {
  it('acts with the scopes of the role; another role counts within a second, with the same token', async () => {
    const member = await testMember(database, tenant.id, 'analyst');
    const billing = () => platform.call<Problem>('/v1/billing/balance', { member: member.token });
    const refused = await billing();
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('billing:read')]);
    expect((await change(typeId('mbr', member.id), { role: 'billing' })).body.role).toBe('billing');
    await eventually(async () => expect((await billing()).status).toBe(200), 1_000);
  });

  it('who is invited becomes active only by the link', async () => {
    const { body } = await invite({});
    expect((await change(body.id, { status: 'active' })).status).toBe(409);
    const suspended = await change(body.id, { status: 'suspended' });
    expect(suspended.body.status).toBe('suspended');
    expect((await change(body.id, { status: 'active' })).body.status).toBe('invited');
  });

  it('sees and ends their own sessions; a key has none', async () => {
    const own = () => platform.call<MemberSessionPage & Problem>('/v1/member-sessions', { member: owner.token });
    const { body } = await own();
    expect(body.data).toEqual([expect.objectContaining({ id: typeId('mss', owner.sessionId), current: true })]);
    expect((await platform.call('/v1/member-sessions', { key: tenant.apiKey })).status).toBe(403);
    const other = await testMember(database, tenant.id, 'sender');
    const foreign = `/v1/member-sessions/${typeId('mss', other.sessionId)}`;
    expect((await platform.call(foreign, { method: 'DELETE', member: owner.token })).status).toBe(404);
    const end = await platform.call(`/v1/member-sessions/${typeId('mss', owner.sessionId)}`, {
      method: 'DELETE',
      member: owner.token,
    });
    expect(end.status).toBe(204);
    await eventually(async () => expect((await own()).status).toBe(401), 1_000);
  });

  it('is signed out by a member who manages members', async () => {
    const member = await testMember(database, tenant.id, 'sender');
    const path = `/v1/members/${typeId('mbr', member.id)}/sessions`;
    const { body } = await platform.call<MemberSessionPage>(path, { member: owner.token });
    expect(body.data).toHaveLength(1);
    await platform.call(`${path}/${body.data[0]?.id ?? ''}`, { method: 'DELETE', member: owner.token });
    await eventually(
      async () => expect((await platform.call('/v1/member-sessions', { member: member.token })).status).toBe(401),
      1_000,
    );
  });
});
