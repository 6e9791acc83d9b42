import { typeId } from '@constancia/kernel';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningConsole, runningConsole } from '../console/running-console.fixture.ts';
import { Visitor } from '../console/visitor.fixture.ts';
import { SoftAuthenticator, type Wrong } from '../../../../libs/auth/src/passkeys/authenticator.fixture.ts';

let database: TestDatabase;
let running: RunningConsole;
let ops: OpsPort;
let tenant: TestTenant;
let email: string;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningConsole(database);
  ops = await opsPortOf(running.platform.app);
});
beforeEach(async () => {
  tenant = await testTenant(database);
  email = `owner@${tenant.slug}.example`;
});
afterAll(async () => {
  await ops?.close();
  await running?.close();
  await database?.drop();
});

const visit = () => new Visitor(running);
type Options = { challenge: string; user: { id: string } };

/** Signed in with a link: as good as a code, without a mail. */
async function byLink(address = email): Promise<Visitor> {
  const token = `lgn_${crypto.randomUUID().replaceAll('-', '').padEnd(43, 'x')}`;
  await database.query(`select platform.issue_login_link($1, $2, sha256($3::bytea), 600)`, [tenant.id, address, token]);
  const visitor = visit();
  expect((await visitor.call('POST', '/link', { token })).status).toBe(200);
  return visitor;
}

const begin = async (visitor: Visitor) =>
  (await visitor.call('POST', '/../passkeys/options')).body as unknown as Options;
const add = (visitor: Visitor, credential: object, name = 'Portátil') =>
  visitor.call('POST', '/../passkeys', { name, credential });

async function registered(visitor?: Visitor): Promise<SoftAuthenticator> {
  const here = visitor ?? (await byLink());
  const device = new SoftAuthenticator(running.url);
  expect((await add(here, device.create(await begin(here)))).status).toBe(201);
  return device;
}

const challenge = async () => (await visit().call('POST', '/passkey/options')).body as unknown as Options;
async function signIn(device: SoftAuthenticator, wrong: Wrong = {}, visitor = visit()) {
  return visitor.call('POST', '/passkey', device.get(await challenge(), wrong));
}
const subjects = (): string[] => running.mailbox.messages(email).map(({ subject }) => subject);
const require = async (method: 'passkey' | null, device: SoftAuthenticator) => {
  const visitor = visit();
  await signIn(device, {}, visitor);
  const member = (await visitor.call('POST', '/token')).body.token as string;
  const answer = await running.platform.call('/v1/sign-in-settings', {
    method: 'PUT',
    body: { required_method: method },
    member,
  });
  expect(answer.status).toBe(200);
  return { visitor, member };
};

describe('a passkey', () => {
  it('is registered in a session, mailed to the member, and signs in without an address', async () => {
    const device = await registered();
    const visitor = visit();
    const { status, body } = await signIn(device, {}, visitor);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        member: expect.objectContaining({ email }),
        session: expect.objectContaining({ method: 'passkey' }),
      }),
    ]);
    const { token } = (await visitor.call('POST', '/token')).body;
    const own = await running.platform.call<{ data: { id: string; name: string; last_used_at: string | null }[] }>(
      '/v1/passkeys',
      {
        member: token as string,
      },
    );
    expect(own.body.data).toEqual([
      expect.objectContaining({ name: 'Portátil', last_used_at: expect.any(String) as string }),
    ]);
    await eventually(
      () => expect(subjects().some((one) => one.startsWith('Nueva llave de acceso'))).toBe(true),
      10_000,
    );
  });

  it('is not accepted from another origin, for another host, without verification, in a frame, or with the handle of another', async () => {
    const device = await registered();
    const wrongs: Wrong[] = [
      { origin: 'http://evil.example' },
      { origin: `${running.url}0` },
      { rpId: 'evil.example' },
      { verified: false },
      { crossOrigin: true },
      { userHandle: Buffer.alloc(16).toString('base64url') },
    ];
    for (const wrong of wrongs) expect((await signIn(device, wrong)).status, JSON.stringify(wrong)).toBe(401);
    expect((await signIn(device)).status).toBe(200);
    const visitor = await byLink();
    for (const wrong of wrongs.slice(0, 5)) {
      const other = new SoftAuthenticator(running.url);
      expect((await add(visitor, other.create(await begin(visitor), wrong))).status, JSON.stringify(wrong)).toBe(422);
    }
  });

  it('of nobody, of a suspended member and with a wrong signature get the same answer', async () => {
    const device = await registered();
    const plain = ({ status, body }: Awaited<ReturnType<typeof signIn>>) => [status, { ...body, request_id: '' }];
    const unknown = plain(await signIn(new SoftAuthenticator(running.url), { userHandle: 'AAAA' }));
    const wrongKey = new SoftAuthenticator(running.url);
    const stolen = plain(
      await signIn(wrongKey, { id: device.id.toString('base64url'), userHandle: device.userHandle }),
    );
    await database.query(`update platform.member set status = 'suspended' where email = $1`, [email]);
    const suspended = plain(await signIn(device));
    expect(unknown[0]).toBe(401);
    expect([stolen, suspended]).toEqual([unknown, unknown]);
  });

  it('opens one session of 16 that answer one challenge at once, and none with a challenge that is too old', async () => {
    const device = await registered();
    device.count = 0;
    await database.query('update platform.passkey set sign_count = 0 where credential_id = $1', [device.id]);
    const response = device.get(await challenge());
    const answers = await Promise.all(Array.from({ length: 16 }, () => visit().call('POST', '/passkey', response)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 15 }, () => 401)]);
    const late = await challenge();
    await database.query(`update platform.passkey_challenge set expires_at = now() - interval '1 s'`);
    expect((await visit().call('POST', '/passkey', device.get(late))).status).toBe(401);
    const [row] = await database.query<{ s: number }>(
      `select extract(epoch from max(expires_at) - now())::int as s from platform.passkey_challenge`,
    );
    await challenge();
    const [fresh] = await database.query<{ s: number }>(
      `select extract(epoch from max(expires_at) - now())::int as s from platform.passkey_challenge`,
    );
    expect(row?.s ?? 0).toBeLessThan(1);
    expect(fresh?.s).toBeGreaterThan(290);
    expect(fresh?.s).toBeLessThanOrEqual(300);
  });

  it('registers once with a challenge, and only in the session that asked for it', async () => {
    const [visitor, other] = [await byLink(), await byLink()];
    const options = await begin(visitor);
    expect((await add(other, new SoftAuthenticator(running.url).create(options))).status).toBe(422);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => add(visitor, new SoftAuthenticator(running.url).create(options))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('whose counter goes back is refused, and the member is mailed once', async () => {
    const device = await registered();
    expect((await signIn(device)).status).toBe(200);
    device.count = 0;
    expect((await signIn(device)).status).toBe(401);
    device.count = 1;
    expect((await signIn(device)).status).toBe(401);
    await eventually(() => {
      expect(subjects().filter((one) => one.startsWith('Llave de acceso rechazada'))).toHaveLength(1);
    }, 10_000);
    device.count = 7;
    expect((await signIn(device)).status).toBe(200);
  });

  it('is at most the tenth of its member, also when several are added at once', async () => {
    const visitor = await byLink();
    for (let nth = 0; nth < 8; nth++) await registered(visitor);
    const four = await Promise.all(Array.from({ length: 4 }, () => begin(visitor)));
    const answers = await Promise.all(
      four.map((options) => add(visitor, new SoftAuthenticator(running.url).create(options))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect((await visitor.call('POST', '/../passkeys/options')).status).toBe(409);
  });

  it('is renamed and removed by its member: that is mailed, and ends the sessions that it opened', async () => {
    const device = await registered();
    const visitor = visit();
    await signIn(device, {}, visitor);
    const member = (await visitor.call('POST', '/token')).body.token as string;
    const { body } = await running.platform.call<{ data: { id: string }[] }>('/v1/passkeys', { member });
    const path = `/v1/passkeys/${body.data[0]?.id}`;
    const renamed = await running.platform.call(path, { method: 'PATCH', body: { name: 'Otra' }, member });
    expect(renamed.body).toMatchObject({ name: 'Otra' });
    const stranger = await testMember(database, tenant.id, 'owner');
    expect((await running.platform.call(path, { method: 'DELETE', member: stranger.token })).status).toBe(404);
    expect((await running.platform.call('/v1/passkeys', { key: tenant.apiKey })).status).toBe(403);
    expect((await running.platform.call(path, { method: 'DELETE', member })).status).toBe(204);
    await eventually(
      async () => expect((await running.platform.call('/v1/passkeys', { member })).status).toBe(401),
      1_000,
    );
    expect((await visitor.call('GET', '')).status).toBe(401);
    expect((await signIn(device)).status).toBe(401);
    await eventually(
      () => expect(subjects().some((one) => one.startsWith('Llave de acceso eliminada'))).toBe(true),
      10_000,
    );
  });

  it('is removed by those who manage members, that of an owner by owners alone, and goes with its member', async () => {
    const device = await registered();
    const [admin, owner] = [
      await testMember(database, tenant.id, 'admin'),
      await testMember(database, tenant.id, 'owner'),
    ];
    const [row] = await database.query<{ id: string }>('select id from platform.member where tenant_id = $1 and email = $2', [tenant.id, email]); // prettier-ignore
    const path = `/v1/members/${typeId('mbr', row?.id as string)}`;
    const { body } = await running.platform.call<{ data: { id: string }[] }>(`${path}/passkeys`, {
      member: admin.token,
    });
    const passkey = `${path}/passkeys/${body.data[0]?.id}`;
    expect((await running.platform.call(passkey, { method: 'DELETE', member: admin.token })).status).toBe(403);
    expect((await running.platform.call(passkey, { method: 'DELETE', member: owner.token })).status).toBe(204);
    expect((await signIn(device)).status).toBe(401);
    const again = await registered();
    expect((await running.platform.call(path, { method: 'DELETE', member: owner.token })).status).toBe(204);
    expect((await signIn(again)).status).toBe(401);
    expect(await database.query('select 1 from platform.passkey where tenant_id = $1', [tenant.id])).toEqual([]);
  });
});

describe('while the tenant requires passkeys', () => {
  it('a link opens a session that can register a passkey and nothing else, until one is registered', async () => {
    await require('passkey', await registered());
    const newcomer = await testMember(database, tenant.id, 'auditor');
    const [visitor, second] = [await byLink(newcomer.email), await byLink(newcomer.email)];
    expect((await visitor.call('GET', '')).body.session).toMatchObject({ access: 'enrol', method: 'link' });
    expect((await visitor.call('POST', '/token')).status).toBe(401);
    const held = await begin(second);
    const device = await registered(visitor);
    expect((await visitor.call('GET', '')).status).toBe(401);
    expect((await add(second, new SoftAuthenticator(running.url).create(held))).status).toBe(401);
    const token = `lgn_${'z'.repeat(43)}`;
    await database.query(`select platform.issue_login_link($1, $2, sha256($3::bytea), 600)`, [
      tenant.id,
      newcomer.email,
      token,
    ]);
    expect((await visit().call('POST', '/link', { token })).body).toEqual({ required: 'passkey' });
    const strong = visit();
    expect((await signIn(device, {}, strong)).status).toBe(200);
    expect((await strong.call('POST', '/token')).status).toBe(200);
  });

  it('a mailed code is not enough for a member who has a passkey', async () => {
    await require('passkey', await registered());
    const visitor = visit();
    const code = await visitor.codeFor(email);
    expect((await visitor.call('POST', '', { email, code })).body).toEqual({ required: 'passkey' });
    expect(visitor.cookie).toBe('');
  });

  it('the last passkey stays', async () => {
    const { member } = await require('passkey', await registered());
    const { body } = await running.platform.call<{ data: { id: string }[] }>('/v1/passkeys', { member });
    const remove = () => running.platform.call(`/v1/passkeys/${body.data[0]?.id}`, { method: 'DELETE', member });
    expect((await remove()).status).toBe(409);
  });

  it('owners who lost theirs get back in by an operator: with a reason, in both logs, mailed, and the requirement stays', async () => {
    const device = await registered();
    await require('passkey', device);
    const reset = (body: object) => ops.post(`/tenants/${tenant.slug}/passkey-resets`, body);
    expect((await reset({ email })).status).toBe(400); // no reason
    expect((await reset({ email: 'nobody@nowhere.example', reason: 'ticket 9' })).status).toBe(404);
    expect((await reset({ email, reason: 'ticket 9' })).body).toMatchObject({ removed: 1 });
    const acts = await ops.get<{ data: object[] }>('/audit?action=passkeys.reset&limit=1');
    expect(acts.body.data).toMatchObject([{ tenant_id: tenant.id, data: { reason: 'ticket 9', removed: 1 } }]);
    const log = await running.platform.call<{ data: object[] }>('/v1/audit-log?action=member.passkeys_reset', {
      key: tenant.apiKey,
    });
    expect(log.body.data).toMatchObject([{ actor: { kind: 'system', name: 'operators' } }]);
    await eventually(
      () => expect(subjects().some((one) => one.includes('de un propietario eliminadas'))).toBe(true),
      10_000,
    );
    expect((await signIn(device)).status).toBe(401);
    const visitor = await byLink();
    expect((await visitor.call('GET', '')).body.session).toMatchObject({ access: 'enrol' });
    expect((await visitor.call('POST', '/token')).status).toBe(401);
  });
});
