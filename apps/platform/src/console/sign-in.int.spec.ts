import { Metrics } from '@constancia/telemetry';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emailDigest } from '../recovery/email-digest.ts';
import { Visitor } from './visitor.fixture.ts';
import { type RunningConsole, runningConsole } from './running-console.fixture.ts';

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

const visit = () => new Visitor(running);
const ownerOf = ({ slug }: TestTenant) => `owner@${slug}.example`;
/** How many sign-ins ended so, by the metrics. */
async function signIns(outcome: string): Promise<number> {
  const text = await running.platform.app.get(Metrics, { strict: false }).text();
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`member_sign_ins_total{method="code",outcome="${outcome}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('signing in with a mailed code', () => {
  it('gives a cookie that no script reads, and with it a member token that works on the API', async () => {
    const visitor = visit();
    const email = ownerOf(tenant);
    const code = await visitor.codeFor(email);
    const { status, body, set } = await visitor.call('POST', '', { email: email.toUpperCase(), code });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ member: expect.objectContaining({ role: 'owner' }) }),
    ]);
    expect(set).toMatch(/^constancia_console=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/);
    expect((await visitor.call('GET', '')).body.tenant.id).toBe(tenant.id);
    const { body: issued } = await visitor.call('POST', '/token');
    expect(issued.token).toMatch(/^mbt_[0-9A-Za-z]{49}$/);
    expect((await running.platform.call('/v1/billing/balance', { member: issued.token as string })).status).toBe(200);

    expect((await visitor.call('DELETE', '')).status).toBe(204);
    await eventually(async () => {
      expect((await running.platform.call('/v1/billing/balance', { member: issued.token as string })).status).toBe(401);
    }, 1_000);
    expect((await visitor.call('GET', '')).status).toBe(401);
  });

  it('uses the code up', async () => {
    const visitor = visit();
    const email = ownerOf(tenant);
    const code = await visitor.codeFor(email);
    expect((await visitor.call('POST', '', { email, code })).status).toBe(200);
    expect((await visit().call('POST', '', { email, code })).status).toBe(401);
  });

  it('looks at five wrong codes of a hundred at once, then locks for 15 minutes, also for the right one', async () => {
    const before = { wrong: await signIns('wrong'), locked: await signIns('locked') };
    const email = ownerOf(tenant);
    const code = await visit().codeFor(email);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => visit().call('POST', '', { email, code: wrong(code) })),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(95);
    const locked = await visit().call('POST', '', { email, code });
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(880);
    expect([(await signIns('wrong')) - before.wrong, (await signIns('locked')) - before.locked]).toEqual([5, 96]);
  });

  it('asks which tenant when the address is a member of several, without using the code up', async () => {
    const other = await testTenant(database);
    const email = ownerOf(tenant);
    await database.query(
      `insert into platform.member (tenant_id, email, name, role, status, created_by) values ($1, $2, 'Dos', 'auditor', 'active', 'test')`,
      [other.id, email],
    );
    const visitor = visit();
    const code = await visitor.codeFor(email);
    const { body } = await visitor.call('POST', '', { email, code });
    expect(body.choose?.map(({ tenant_id }) => tenant_id).sort()).toEqual([tenant.id, other.id].sort());
    expect(visitor.cookie).toBe('');
    const chosen = await visitor.call('POST', '', { email, code, tenant_id: other.id });
    expect(chosen.body).toMatchObject({ tenant: { id: other.id }, member: { role: 'auditor' } });
  });

  it('mails at most one code a minute, and none to a suspended member', async () => {
    const email = ownerOf(tenant);
    const visitor = visit();
    await visitor.codeFor(email);
    await visitor.call('POST', '/code', { email });
    const suspended = await testMember(database, tenant.id, 'sender');
    await database.query(`update platform.member set status = 'suspended' where id = $1`, [suspended.id]);
    await visitor.call('POST', '/code', { email: suspended.email });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(running.mailbox.messages(email)).toHaveLength(1);
    expect(running.mailbox.messages(suspended.email)).toEqual([]);
  });
});

describe('an address that belongs to nobody', () => {
  it('gets the same answers, byte for byte, to the request and to every wrong code', async () => {
    const known = { email: ownerOf(tenant), visitor: visit() };
    const unknown = { email: `nobody-${tenant.slug}@nowhere.example`, visitor: visit() };
    const code = await known.visitor.codeFor(known.email);
    await unknown.visitor.call('POST', '/code', { email: unknown.email });
    await eventually(async () => {
      const sql = 'select 1 from platform.sign_in_code where email_digest = $1 and code_hash is not null';
      expect(await database.query(sql, [emailDigest(unknown.email)])).toHaveLength(1);
    }, 10_000);
    for (let attempt = 0; attempt < 7; attempt++) {
      const [a, b] = await Promise.all(
        [known, unknown].map(({ email, visitor }) => visitor.call('POST', '', { email, code: wrong(code) })),
      );
      const plain = (answer: typeof a) => ({ ...answer?.body, request_id: '' });
      expect([b?.status, plain(b)]).toEqual([a?.status, plain(a)]);
      expect(b?.status).toBe(attempt < 5 ? 401 : 429);
    }
  });
});

describe('a session', () => {
  const signedIn = async (): Promise<Visitor> => {
    const visitor = visit();
    const email = ownerOf(tenant);
    await visitor.call('POST', '', { email, code: await visitor.codeFor(email) });
    return visitor;
  };

  it('is another one after each sign-in: a cookie that was planted before counts for nothing', async () => {
    const planted = `constancia_console=${'a'.repeat(43)}`;
    const visitor = visit();
    visitor.cookie = planted;
    const email = ownerOf(tenant);
    const code = await visitor.codeFor(email);
    visitor.cookie = planted;
    await visitor.call('POST', '', { email, code });
    expect(visitor.cookie).not.toBe(planted);
    const attacker = visit();
    attacker.cookie = planted;
    expect((await attacker.call('GET', '')).status).toBe(401);
  });

  it('is not used by pages of other origins', async () => {
    const visitor = await signedIn();
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ];
    for (const headers of foreign) {
      for (const [method, path] of [
        ['POST', '/token'],
        ['DELETE', ''],
        ['POST', '/code'],
      ] as const) {
        const body = path === '/code' ? { email: 'a@b.example' } : undefined;
        expect((await visitor.call(method, path, body, headers)).status, `${method} ${path}`).toBe(403);
      }
    }
    const old = { 'sec-fetch-site': '', origin: 'https://evil.example' };
    expect((await visitor.call('POST', '/token', undefined, old)).status).toBe(403);
    expect((await visitor.call('GET', '')).status).toBe(200);
  });

  it('of a page that another tab signed out of answers that page nothing, and is not ended by it', async () => {
    const visitor = await signedIn();
    const page = { 'x-console-session': (await visitor.call('GET', '')).body.session.id };
    expect((await visitor.call('POST', '/token', undefined, page)).status).toBe(200);
    tenant = await testTenant(database);
    const other = await signedIn();
    visitor.cookie = other.cookie; // as a sign-in in another tab of the same browser leaves it
    expect((await visitor.call('POST', '/token', undefined, page)).status).toBe(401);
    expect((await visitor.call('DELETE', '', undefined, page)).status).toBe(204);
    expect((await other.call('GET', '')).status).toBe(200);
  });

  it('ends after 30 minutes without use, and after 8 hours at most', async () => {
    const visitor = await signedIn();
    const set = (column: string, to: string) =>
      database.query(`update platform.member_session set ${column} = now() + $2::interval where tenant_id = $1`, [
        tenant.id,
        to,
      ]);
    await set('last_used_at', '-29 minutes');
    expect((await visitor.call('GET', '')).status).toBe(200);
    await set('last_used_at', '-31 minutes');
    expect((await visitor.call('POST', '/token')).status).toBe(401);
    await set('last_used_at', '0 s');
    await set('expires_at', '-1 s');
    expect((await visitor.call('GET', '')).status).toBe(401);
  });

  it('is announced by mail when the browser is new to the member, not the first time', async () => {
    await signedIn();
    const email = ownerOf(tenant);
    await database.query(`update platform.sign_in_code set sends = '{}'`);
    const visitor = visit();
    const code = await visitor.codeFor(email);
    await visitor.call('POST', '', { email, code }, { 'user-agent': 'Another/1.0' });
    await eventually(() => {
      const notices = running.mailbox.messages(email).filter(({ subject }) => subject.includes('dispositivo nuevo'));
      expect(notices).toHaveLength(1);
      expect(notices[0]?.text).toContain('Another/1.0');
    }, 10_000);
  });
});

describe('the link of an invitation', () => {
  it('signs in once, and makes the member active', async () => {
    const owner = await testMember(database, tenant.id, 'owner');
    const email = `nueva@${tenant.slug}.example`;
    await running.platform.call('/v1/members', {
      member: owner.token,
      body: { email, name: 'Nueva', role: 'sender', locale: 'en' },
    });
    const token = await eventually(() => {
      const found = /#token=(inv_[0-9A-Za-z]{43})/.exec(running.mailbox.messages(email)[0]?.text ?? '')?.[1];
      if (found === undefined) throw new Error('no mail yet');
      return found;
    }, 10_000);
    const shown = async (invitation = token) => {
      const { status, body } = await visit().call('POST', '/invitation', { token: invitation });
      return status === 200 ? body : status;
    };
    for (let nth = 0; nth < 2; nth++)
      expect(await shown()).toEqual({ organization: expect.stringMatching(/./), email, role: 'sender' });
    expect([await shown(`inv_${'0'.repeat(43)}`), await shown('inv_')]).toEqual([404, 400]);
    const visitor = visit();
    expect((await visitor.call('POST', '/link', { token })).body).toMatchObject({ member: { email, role: 'sender' } });
    expect(await shown()).toBe(404);
    expect((await visitor.call('GET', '')).status).toBe(200);
    expect((await visit().call('POST', '/link', { token })).status).toBe(404);
    const [row] = await database.query('select status from platform.member where email = $1', [email]);
    expect(row).toEqual({ status: 'active' });
  });
});

it('the routes of sign-in are on no API host', async () => {
  const response = await fetch(`${running.platform.url}/console/session`);
  expect(response.status).toBe(404);
});
