import { eventually } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MailBench } from './mail-bench.fixture.ts';

const bench = new MailBench();

beforeAll(() => bench.open());
beforeEach(() => bench.useTenant({ verified: false }));
afterEach(() => bench.endTest());
afterAll(() => bench.close());

describe('while the owner of a tenant has not verified the address', () => {
  const verify = () =>
    bench.database.query('update platform.tenant set owner_email_verified_at = now() where id = $1', [bench.tenant.id]);
  const mailsOf = async (envelope: { id: string }) => (await bench.show(envelope)).signers.map(({ mail }) => mail);

  beforeEach(() => bench.openMailbox());

  test('mails to others wait, which the envelope shows, and go out within seconds of the proof', async () => {
    const envelope = await bench.send('waits@example.org');
    expect(await mailsOf(envelope)).toEqual(['waiting_for_owner', null]);
    const [first] = envelope.signers;
    await bench.post(`${envelope.id}/signers/${first?.id}/remind`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(bench.mailbox?.messages('waits@example.org')).toEqual([]);

    await bench.database.query(
      `update signing.signer_mail set created_at = now() - interval '5 days' where tenant_id = $1`,
      [bench.tenant.id],
    );
    await verify();
    await bench.received('waits@example.org'); // the reminder, which took the place of the invitation
    await eventually(async () => expect(await mailsOf(envelope)).toEqual(['sent', null]));
  });

  test('a mail to the own address goes out at once, the end of the envelope too', async () => {
    const own = `Owner@${bench.tenant.slug}.example`;
    const envelope = await bench.send(own);
    await bench.received(own);
    expect((await bench.post(`${envelope.id}/void`, { reason: 'x' })).status).toBe(200);
    await bench.received(own, 2);
  });

  test('a mail that waits for room under a limit too goes out when there is room, not with the proof', async () => {
    const lag = async () =>
      (await bench.database.query<{ lag: number }>('select signing.signer_mail_lag() as lag'))[0]?.lag;
    const change = (columns: string) =>
      bench.database.query(`update signing.signer_mail set ${columns} where tenant_id = $1`, [bench.tenant.id]);
    const envelope = await bench.send('room@example.org');
    await change(`created_at = now() + interval '3 hours'`); // as SignerMails writes it when there is no room
    await verify();
    await eventually(async () => expect(await mailsOf(envelope)).toEqual(['waiting_for_limit', null]), 10_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([bench.mailbox?.messages('room@example.org'), await lag()]).toEqual([[], 0]);

    await change(`created_at = now() - interval '1 hour', due_at = now() + interval '1 hour'`);
    expect(await mailsOf(envelope)).toEqual(['pending', null]);
    expect(await lag()).toBeGreaterThan(3_500);
    await change('due_at = now()');
    await bench.received('room@example.org');
  });

  test('no code is mailed to others, and the answer says why', async () => {
    const envelope = await bench.send('code@example.org');
    const { sign_token: token } = envelope.signers[0] ?? {};
    const { body } = await bench.app.call<{ consent: { locale: string; version: string } }>(`/v1/sign/${token}`);
    const { locale, version } = body.consent;
    await bench.app.call(`/v1/sign/${token}/consent`, { body: { accepted: true, locale, version } });
    const answer = await bench.app.call(`/v1/sign/${token}/otp/send`, { method: 'POST' });
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain('The sender has not confirmed');
    await verify();
    expect((await bench.app.call(`/v1/sign/${token}/otp/send`, { method: 'POST' })).status).toBe(202);
  });

  test('mails that have waited for 7 days are dropped, which the envelope shows', async () => {
    const envelope = await bench.send('dropped@example.org');
    await bench.database.query(
      `update signing.signer_mail set created_at = now() - interval '7 days 1 minute' where tenant_id = $1`,
      [bench.tenant.id],
    );
    await eventually(async () => expect(await mailsOf(envelope)).toEqual(['dropped', null]), 10_000);
    const [signer] = (await bench.show(envelope)).signers;
    expect(signer?.notification).toMatchObject({ status: 'failed', failure: 'owner_not_verified' });
    await verify();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(bench.mailbox?.messages('dropped@example.org')).toEqual([]);
  });
});

describe('while operators have a tenant suspended', () => {
  const suspendedAt = (at: string) =>
    bench.database.query(`update platform.tenant set suspended_at = ${at} where id = $1`, [bench.tenant.id]);
  const mails = () =>
    bench.database.query<{ waiting_for: string | null; sent: boolean; failure: string | null }>(
      `select waiting_for, sent_at is not null as sent, failure from signing.signer_mail where tenant_id = $1 order by id`,
      [bench.tenant.id],
    );

  beforeEach(() => bench.useTenant());

  test('mails that were due and mails that are made meanwhile wait, however long, and go out once it is resumed', async () => {
    const envelope = await bench.send('due@example.org'); // nothing listens at the mail server yet: it waits for its next attempt
    await eventually(async () => expect(await mails()).toMatchObject([{ waiting_for: null, sent: false }]));
    await suspendedAt('now()');
    await eventually(async () => expect(await mails()).toMatchObject([{ waiting_for: 'tenant' }]), 10_000);
    await bench.database.query(
      `insert into signing.signer_mail (id, tenant_id, envelope_id, signer_id, kind, dedupe)
       select gen_random_uuid(), tenant_id, envelope_id, signer_id, 'reminder', 'made meanwhile' from signing.signer_mail where tenant_id = $1`,
      [bench.tenant.id],
    );
    await bench.database.query(
      `update signing.signer_mail set created_at = now() - interval '20 days' where tenant_id = $1`,
      [bench.tenant.id],
    );
    await bench.openMailbox();
    const lag = 'select signing.release_waiting_mails() as released, signing.signer_mail_lag() as lag';
    expect(await bench.database.query(lag)).toEqual([{ released: 0, lag: 0 }]);
    expect((await mails()).map(({ waiting_for }) => waiting_for)).toEqual(['tenant', 'tenant']);
    await suspendedAt('null');
    await bench.received('due@example.org', 2);
    await eventually(async () => expect((await mails()).map(({ sent, failure }) => [sent, failure])).toEqual([[true, null], [true, null]])); // prettier-ignore
    expect(envelope.signers).toHaveLength(2);
  });
});
