import {
  eventually,
  freePort,
  testDatabase,
  type TestDatabase,
  type TestTenant,
  testTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mailbox, type ReceivedMail, startMailbox } from '@constancia/dev-servers/mailbox';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

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

const mailsTo = (tenant: TestTenant): ReceivedMail[] => mailbox.messages(`owner@${tenant.slug}.example`);
const mailTo = (tenant: TestTenant): Promise<ReceivedMail> =>
  eventually(() => {
    const [mail] = mailsTo(tenant);
    if (!mail) throw new Error('no mail yet');
    return mail;
  }, 10_000);
const post = (tenant: TestTenant, action: string) =>
  platform.call<Record<string, string>>(`/tenants/${tenant.id}/${action}`, { method: 'POST', key: tenant.apiKey });

describe('the owner of a tenant', () => {
  it('is mailed when the API key is rotated, once, without the key', async () => {
    const tenant = await testTenant(database);
    const { body } = await post(tenant, 'rotate-api-key');
    const mail = await mailTo(tenant);
    expect(mail.subject).toContain('Se reemplazó una llave de API');
    expect(mail.text).toContain(tenant.slug);
    expect(mail.text).toContain('api-key-recovery');
    expect(mail.text).not.toContain(body.api_key);
    expect(mailsTo(tenant)).toHaveLength(1);
  });

  it('is mailed in English where the tenant is English, when the webhook secret is rotated', async () => {
    const tenant = await testTenant(database);
    await database.query(`update platform.tenant set locale = 'en' where id = $1`, [tenant.id]);
    const { body } = await post(tenant, 'rotate-webhook-secret');
    const mail = await mailTo(tenant);
    expect(mail.subject).toContain('The webhook secret was replaced');
    expect(mail.text).not.toContain(body.webhook_secret);
  });

  it('is mailed when an endpoint with a secret of its own is added, gets another secret and is deleted', async () => {
    const tenant = await testTenant(database);
    const call = (method: string, path: string, body?: unknown) =>
      platform.call<{ id: string; secret: string }>(`/v1/webhook-endpoints${path}`, {
        method,
        key: tenant.apiKey,
        body,
      });
    const { body: added } = await call('POST', '', { url: 'http://127.0.0.1:9/', modules: ['seal'] });
    await call('PATCH', `/${added.id}`, { description: 'no secret changes here' });
    const { body: rotated } = await call('POST', `/${added.id}/rotate-secret`, { grace_seconds: 0 });
    await call('DELETE', `/${added.id}`);
    await eventually(() => {
      const mails = mailsTo(tenant);
      expect(mails.map(({ subject }) => subject.split(':')[0]).sort()).toEqual([
        'Se agregó un destino de webhooks',
        'Se eliminó un destino de webhooks',
        'Se reemplazó el secreto de un destino de webhooks',
      ]);
      for (const { text } of mails) {
        expect(text).toContain(added.id);
        expect(text).not.toContain(added.secret);
        expect(text).not.toContain(rotated.secret);
      }
    }, 10_000);
  });

  it('is mailed once when the key is recovered, and when a further key is created', async () => {
    const tenant = await testTenant(database);
    await database.query(
      `insert into platform.recovery_token (token_hash, tenant_id, expires_at) values ('\\x01', $1, now() + interval '1 hour')`,
      [tenant.id],
    );
    await database.query(
      `select * from platform.use_recovery_token($1, '\\x01', gen_random_uuid(), '\\x02', 'test_new')`,
      [tenant.id],
    );
    expect((await mailTo(tenant)).subject).toContain('Se recuperó la llave de API');
    await database.query(
      `insert into platform.api_key (id, tenant_id, key_hash, prefix, status) values (gen_random_uuid(), $1, '\\x03', 'test_2', 'active')`,
      [tenant.id],
    );
    await eventually(() => {
      const subjects = mailsTo(tenant).map(({ subject }) => subject);
      expect(subjects).toHaveLength(2);
      expect(subjects.join('\n')).toContain('Se creó una llave de API');
    }, 10_000);
  });
});
