import {
  eventually,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import type { Problem } from '@constancia/testing/calls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningConsole, runningConsole } from '../console/running-console.fixture.ts';
import { Visitor } from '../console/visitor.fixture.ts';
import type { SignInSettingsView } from './sign-in-settings.ts';

const PATH = '/v1/sign-in-settings';
let database: TestDatabase;
let running: RunningConsole;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningConsole(database);
});
beforeEach(async () => {
  tenant = await testTenant(database);
});
afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const put = (credential: { member: string } | { key: string }, required_method: unknown) =>
  running.platform.call<SignInSettingsView & Problem>(PATH, {
    method: 'PUT',
    body: { required_method },
    ...credential,
  });
const ownerWith = (method: 'code' | 'passkey' | 'sso') => testMember(database, tenant.id, 'owner', { method });

/** Gives the tenant a provider, which these tests never ask. */
const withProvider = () =>
  database.query(
    `insert into platform.sso (tenant_id, version, issuer, client_id, client_secret, domains)
     values ($1, $1, 'https://idp.example', 'x', 'x', '{x.example}')`,
    [tenant.id],
  );

describe('PUT /v1/sign-in-settings', () => {
  it('sets what a sign-in has to use, GET shows it, and the audit log has both values', async () => {
    const { token: member } = await ownerWith('passkey');
    expect((await running.platform.call(PATH, { member })).body).toEqual({ required_method: null });
    expect((await put({ member }, 'passkey')).body).toEqual({ required_method: 'passkey' });
    expect((await running.platform.call(PATH, { member })).body).toEqual({ required_method: 'passkey' });
    expect((await put({ member }, null)).body).toEqual({ required_method: null });
    const { body } = await running.platform.call<{ data: unknown[] }>('/v1/audit-log?action=sign_in_settings.changed', {
      member,
    });
    expect(body.data).toEqual([
      expect.objectContaining({ before: { required_method: 'passkey' }, after: { required_method: null } }),
      expect.objectContaining({ before: { required_method: null }, after: { required_method: 'passkey' } }),
    ]);
  });

  it('is for owners who are signed in, for passkeys with one of their own, for single sign-on with a provider: nobody locks themselves out', async () => {
    const [byCode, bySso] = [await ownerWith('code'), await ownerWith('sso')];
    const admin = await testMember(database, tenant.id, 'admin', { method: 'passkey' });
    expect((await put({ key: tenant.apiKey }, 'passkey')).status).toBe(403);
    expect((await put({ member: admin.token }, 'passkey')).status).toBe(403);
    expect((await put({ key: tenant.apiKey }, null)).status).toBe(403);
    expect((await put({ member: byCode.token }, 'passkey')).status).toBe(409);
    expect((await put({ member: bySso.token }, 'passkey')).status).toBe(409);
    expect((await put({ member: bySso.token }, 'sso')).status).toBe(409);
    await withProvider();
    expect((await put({ member: byCode.token }, 'sso')).status).toBe(200);
  });

  it.each([['code'], ['link'], [''], [1], [undefined]])('refuses %j', async (value) => {
    const { token: member } = await ownerWith('passkey');
    const { status, body } = await put({ member }, value);
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/required_method']]);
  });

  it('ends the sessions that do not meet it within a second, those of other tenants not', async () => {
    const owner = await ownerWith('passkey');
    const member = await testMember(database, tenant.id, 'auditor');
    const stranger = await testMember(database, (await testTenant(database)).id, 'auditor');
    const statusFor = async ({ token }: { token: string }) =>
      (await running.platform.call('/v1/billing/balance', { member: token })).status;
    expect([await statusFor(owner), await statusFor(member), await statusFor(stranger)]).toEqual([200, 200, 200]);
    await put({ member: owner.token }, 'passkey');
    await eventually(async () => expect(await statusFor(member)).toBe(401), 1_000);
    expect([await statusFor(owner), await statusFor(stranger)]).toEqual([200, 200]);
  });
});

describe('while the tenant requires single sign-on', () => {
  const require = async () => {
    await withProvider();
    await put({ member: (await ownerWith('sso')).token }, 'sso');
  };

  it('a code and a link open no session, and the page learns what to use instead', async () => {
    const { email } = await testMember(database, tenant.id, 'auditor');
    await require();
    const visitor = new Visitor(running);
    const code = await visitor.codeFor(email);
    expect((await visitor.call('POST', '', { email, code })).body).toEqual({ required: 'sso' });
    expect((await visitor.call('POST', '', { email, code })).status).toBe(401);
    const token = `lgn_${'a'.repeat(43)}`;
    await database.query(`select platform.issue_login_link($1, $2, sha256($3::bytea), 600)`, [tenant.id, email, token]);
    expect((await visitor.call('POST', '/link', { token })).body).toEqual({ required: 'sso' });
    expect(visitor.cookie).toBe('');
    expect(await database.query(`select 1 from platform.member_session where tenant_id = $1 and method <> 'sso'`, [tenant.id])).toEqual([]); // prettier-ignore
  });

  it('a member of several tenants still enters those that do not require it', async () => {
    await require();
    const email = `owner@${tenant.slug}.example`;
    const other = await testTenant(database);
    await database.query(
      `insert into platform.member (tenant_id, email, name, role, status, created_by) values ($1, $2, 'Dos', 'auditor', 'active', 'test')`,
      [other.id, email],
    );
    const visitor = new Visitor(running);
    const code = await visitor.codeFor(email);
    const { body } = await visitor.call('POST', '', { email, code, tenant_id: other.id });
    expect(body).toMatchObject({ tenant: { id: other.id }, session: { method: 'code' } });
  });

  it('no session and no token remains of sign-ins and renewals that cross the change', async () => {
    for (let round = 0; round < 5; round++) {
      tenant = await testTenant(database);
      await withProvider();
      const owner = await ownerWith('sso');
      const visitors = Array.from({ length: 8 }, () => new Visitor(running));
      const members = await Promise.all(visitors.map(() => testMember(database, tenant.id, 'auditor')));
      const links = await Promise.all(
        members.map(async ({ email }, nth) => {
          const token = `lgn_${`${tenant.slug}${nth}`.replace(/\W/g, '').padEnd(43, 'a')}`.slice(0, 47);
          await database.query(`select platform.issue_login_link($1, $2, sha256($3::bytea), 600)`, [
            ...[tenant.id, email, token],
          ]);
          return token;
        }),
      );
      const signIns = visitors.map(async (visitor, nth) => {
        await visitor.call('POST', '/link', { token: links[nth] });
        await visitor.call('POST', '/token');
      });
      await Promise.all([...signIns, put({ member: owner.token }, 'sso')]);
      const left = `select s.method, n.token_hash from platform.member_session s left join platform.member_token n on n.session_id = s.id
                     where s.tenant_id = $1 and s.method <> 'sso'`;
      expect(await database.query(left, [tenant.id])).toEqual([]);
    }
  });
});
