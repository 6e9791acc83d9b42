import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
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
import type { Problem } from '@constancia/testing/calls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConsoleSessions } from '../console/console-sessions.ts';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import type { AuditPage } from '../audit-log/audit-entry-view.ts';
import type { NotificationSettings } from './notification-settings.ts';
import type { NotificationPage } from './notification-view.ts';

let database: TestDatabase;
let platform: RunningPlatform;
let mailbox: Mailbox;
let tenant: TestTenant;
let ana: TestMember;

beforeAll(async () => {
  database = await testDatabase();
  mailbox = await startMailbox({ smtpPort: await freePort() });
  platform = await runningPlatform(database, { SMTP_URL: mailbox.smtpUrl, CONSOLE_URL: 'http://console.test' });
});
beforeEach(async () => {
  tenant = await testTenant(database);
  ana = await testMember(database, tenant.id, 'analyst', { name: 'Ana Ruiz' });
});
afterAll(async () => {
  await platform?.close();
  await mailbox?.close();
  await database?.drop();
});

/** As the store's functions write them; answers the case's UUID. */
async function notify(member: TestMember, kind = 'case_assigned', caseId: string = uuidv7()): Promise<string> {
  await database.query('select platform.write_notifications($1, $2, $3, $4, $4)', [kind, caseId, caseId, [member.id]]);
  return caseId;
}
/** The first mail that a member gets. */
const mailTo = ({ email }: TestMember) =>
  eventually(() => {
    const [found] = mailbox.messages(email);
    if (!found) throw new Error('no mail yet');
    return found;
  }, 10_000);
const list = async (query = '', member = ana) =>
  (await platform.call<NotificationPage>(`/v1/notifications${query}`, { member: member.token })).body;
const read = (body: object, member = ana) =>
  platform.call<Problem>('/v1/notifications/read', { body, member: member.token });
const settings = (body?: object, member = ana) =>
  platform.call<NotificationSettings & Problem>('/v1/notification-settings', {
    member: member.token,
    ...(body && { method: 'PUT', body }),
  });

describe('the notifications of a member', () => {
  it('are listed newest first, page by page, with how many are unread', async () => {
    const ids = [await notify(ana), await notify(ana), await notify(ana, 'case_overdue')];
    const first = await list('?limit=2');
    expect(first.data.map(({ case_id }) => case_id)).toEqual([typeId('cas', ids[2]), typeId('cas', ids[1])]);
    expect(first).toMatchObject({
      unread_count: 3,
      data: [{ kind: 'case_overdue', endpoint_id: null, read_at: null }, {}],
    });
    const rest = await list(`?limit=2&cursor=${first.next_cursor}`);
    expect([rest.data.length, rest.next_cursor]).toEqual([1, null]);
  });

  it('are marked as read one by one, or up to the newest that was seen', async () => {
    for (let nth = 0; nth < 3; nth++) await notify(ana);
    const [newest, middle] = (await list()).data;
    expect((await read({ ids: [middle?.id, 'ntf_unknown'] })).status).toBe(204);
    expect((await list('?unread=true')).data).toHaveLength(2);
    await notify(ana);
    expect((await read({ up_to: newest?.id })).status).toBe(204);
    expect(await list('?unread=true')).toMatchObject({ unread_count: 1, data: [{ read_at: null }] });
    for (const body of [{}, { up_to: 'all' }]) expect((await read(body)).status).toBe(400);
  });

  it('are theirs alone: not another member’s, another tenant’s or a key’s', async () => {
    await notify(ana);
    const [theirs] = (await list()).data;
    const stranger = await testMember(database, (await testTenant(database)).id, 'owner');
    for (const other of [await testMember(database, tenant.id, 'owner'), stranger]) {
      expect(await list('', other)).toMatchObject({ data: [], unread_count: 0 });
      await read({ ids: [theirs?.id], up_to: typeId('ntf', uuidv7()) }, other);
    }
    expect((await list()).unread_count).toBe(1);
    for (const path of ['/v1/notifications', '/v1/notification-settings']) {
      expect((await platform.call(path, { key: tenant.apiKey })).status).toBe(403);
      expect((await platform.call(path)).status).toBe(401);
    }
  });

  it('are not unread any more once what they ask for was done, no matter who read them', async () => {
    const [settled, waiting] = [await notify(ana), await notify(ana)];
    await database.query(`select platform.settle_notifications($1, $2, '{case_assigned}')`, [tenant.id, settled]);
    const { data, unread_count } = await list();
    expect([unread_count, data.map(({ settled_at, read_at }) => [settled_at === null, read_at])]).toEqual([
      1,
      [
        [true, null],
        [false, null],
      ],
    ]);
    expect((await list('?unread=true')).data.map(({ case_id }) => case_id)).toEqual([typeId('cas', waiting)]);
  });

  it('of a disabled endpoint are settled when it is enabled again, or deleted', async () => {
    const key = tenant.apiKey;
    const made = async (): Promise<string> => {
      const body = { url: 'https://hooks.example.com/in', modules: ['seal'] };
      return (await platform.call<{ id: string }>('/v1/webhook-endpoints', { key, body })).body.id;
    };
    const [enabled, deleted, waiting] = [await made(), await made(), await made()];
    for (const id of [enabled, deleted, waiting]) {
      const uuid = uuidOf('whe', id) as string;
      await database.query('update platform.webhook_endpoint set enabled = false where id = $1', [uuid]);
      await notify(ana, 'endpoint_disabled', uuid);
    }
    const path = (id: string) => `/v1/webhook-endpoints/${id}`;
    await platform.call(path(waiting), { method: 'PATCH', key, body: { description: 'still disabled' } });
    await platform.call(path(enabled), { method: 'PATCH', key, body: { enabled: true } });
    await platform.call(path(deleted), { method: 'DELETE', key });
    const { data } = await list('?unread=true');
    expect(data.map(({ endpoint_id }) => endpoint_id)).toEqual([waiting]);
  });

  it('are deleted after 90 days', async () => {
    await notify(ana);
    const old = await notify(ana);
    await database.query(
      `update platform.member_notification set id = platform.uuid_floor(now() - interval '91 days') where ref_id = $1`,
      [old],
    );
    await platform.app.get(ConsoleSessions).run();
    expect((await list()).data).toHaveLength(1);
  });

  it('are mailed in the language that the member chose, which is in the audit log', async () => {
    expect((await settings()).body).toMatchObject({ locale: 'es-CO' });
    const off = { mail_off: [], console_off: [] };
    expect((await settings({ ...off, locale: 'en' })).body).toEqual({ ...off, locale: 'en' });
    expect((await settings(off)).body).toEqual({ ...off, locale: 'en' });
    expect((await settings({ ...off, locale: 'fr' })).status).toBe(400);
    await notify(ana, 'case_due_soon');
    expect((await mailTo(ana)).subject).toMatch(/^A case is due soon: /);
    const owner = await testMember(database, tenant.id, 'owner');
    const log = await platform.call<AuditPage>('/v1/audit-log?action=member.changed', { member: owner.token });
    expect(log.body.data).toMatchObject([{ before: { locale: 'es-CO' }, after: { locale: 'en' } }]);
  });

  it('are mailed in the member’s language with a link to the case, and name nobody', async () => {
    const caseId = await notify(ana, 'case_due_soon');
    const mail = await mailTo(ana);
    expect(mail.subject).toMatch(/^Un caso vence pronto: /);
    expect(mail.text).toContain(`http://console.test/cases/${typeId('cas', caseId)}`);
  });
});

it('a notification of an envelope says the name of its circuit, in the list and in the mail', async () => {
  const sender = await testMember(database, tenant.id, 'sender', { name: 'Sofía Gil' });
  const envelope = uuidv7();
  await database.query(
    `select platform.write_titled_notifications('envelope_declined', $1, '1', array[$2::uuid], array[$2::uuid], 'Contrato de arriendo')`,
    [envelope, sender.id],
  );
  expect((await list('', sender)).data).toMatchObject([
    { kind: 'envelope_declined', envelope_id: typeId('env', envelope), case_id: null, title: 'Contrato de arriendo' },
  ]);
  const mail = await mailTo(sender);
  expect(mail.subject).toMatch(/^Rechazaron un sobre: Contrato de arriendo: /);
  expect(mail.text).toContain(`http://console.test/signing/envelopes/${typeId('env', envelope)}`);
});

it('a notification of rules says their code and leads to the draft, in the list and in the mail', async () => {
  const bea = await testMember(database, tenant.id, 'supervisor', { name: 'Bea Paz' });
  const validation = uuidv7();
  await database.query(
    `select platform.write_titled_notifications('rules_awaiting_publication', $1, '1', array[$2::uuid], array[$2::uuid], 'sarlaft-b')`,
    [validation, bea.id],
  );
  expect((await list('', bea)).data).toMatchObject([
    {
      kind: 'rules_awaiting_publication',
      validation_id: typeId('val', validation),
      case_id: null,
      envelope_id: null,
      title: 'sarlaft-b',
    },
  ]);
  const mail = await mailTo(bea);
  expect(mail.subject).toMatch(/^Unas reglas esperan que usted las publique: sarlaft-b: /);
  expect(mail.text).toContain(`http://console.test/rules/${typeId('val', validation)}`);
});

it('a notification of a proposed decision leads to the case', async () => {
  const caseId = await notify(ana, 'case_awaiting_approval');
  expect((await list()).data).toMatchObject([{ case_id: typeId('cas', caseId), validation_id: null, title: null }]);
  expect((await settings({ mail_off: ['case_awaiting_approval'], console_off: ['rules_awaiting_publication'] })).status).toBe(200); // prettier-ignore
});

describe('the settings of a member', () => {
  it('are empty at first, and say what is switched off', async () => {
    expect((await settings()).body).toMatchObject({ mail_off: [], console_off: [] });
    const off = { mail_off: ['case_assigned'], console_off: ['case_overdue', 'case_due_soon'] };
    for (let nth = 0; nth < 2; nth++) expect((await settings(off)).body).toMatchObject(off);
    expect((await settings()).body).toMatchObject(off);
    const other = await testMember(database, tenant.id, 'analyst');
    expect((await settings(undefined, other)).body).toMatchObject({ mail_off: [], console_off: [] });
    const bad = await settings({ mail_off: ['everything'], console_off: ['case_overdue', 'case_overdue'] });
    expect([bad.status, bad.body.errors?.map(({ pointer }) => pointer).sort()]).toEqual([
      400,
      ['/console_off', '/mail_off'],
    ]);
  });
});
