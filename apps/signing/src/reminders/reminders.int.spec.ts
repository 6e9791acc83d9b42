import { uuidOf } from '@constancia/kernel';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AuditPage } from '../envelopes/audit-view.ts';
import type { CreatedEnvelopeView, EnvelopeView } from '../envelopes/envelope-view.ts';
import { MailBench, signersOf } from '../mails/mail-bench.fixture.ts';
import type { Problem } from '../running-signing.fixture.ts';
import { ReminderSweep } from './reminder-sweep.ts';

const bench = new MailBench();

beforeAll(() => bench.open());
beforeEach(() => bench.useTenant());
afterEach(() => bench.endTest());
afterAll(() => bench.close());

const REMINDERS = { after_days: 2, every_days: 3, most: 2 };
const DAY_MS = 86_400_000;

/** As if the buyer's reminder had been due for a minute, and the last one had been sent so long ago. */
const due = (envelope: CreatedEnvelopeView, remindedAgo = '2 days') =>
  bench.database.query(
    `update signing.envelope_signer set reminder_due_at = now() - interval '1 minute', reminded_at = reminded_at - $2::interval
      where envelope_id = $1 and role = 'buyer'`,
    [uuidOf('env', envelope.id), remindedAgo],
  );
const reminders = (envelope: CreatedEnvelopeView) =>
  bench.database.query<{ waiting_for: string | null }>(
    `select waiting_for from signing.signer_mail where envelope_id = $1 and kind = 'reminder'`,
    [uuidOf('env', envelope.id)],
  );
const sweep = () => bench.app.app.get(ReminderSweep).run();
const daysUntil = (time: string | null | undefined) => Math.round((Date.parse(time ?? '') - Date.now()) / DAY_MS);

test('a due reminder is sent once by several processes; the next is due after the interval, at most as often as said', async () => {
  const envelope = await bench.send('ana@example.org', { reminders: REMINDERS });
  expect(envelope.reminders).toEqual(REMINDERS);
  const before = await bench.show(envelope);
  expect([before.reminders, daysUntil(before.signers[0]?.next_reminder_at)]).toEqual([REMINDERS, 2]);
  expect(before.signers[1]?.next_reminder_at).toBeNull();
  const other = await bench.startApp();
  await due(envelope);
  const sweeps = [bench.app, other].map(({ app }) => app.get(ReminderSweep));
  await Promise.all(sweeps.flatMap((each) => [each.run(), each.run()]));
  await other.close();
  expect(await reminders(envelope)).toHaveLength(1);
  const [buyer] = (await bench.show(envelope)).signers;
  expect([buyer?.reminders_sent, daysUntil(buyer?.next_reminder_at)]).toEqual([1, 3]);

  await due(envelope, '1 hour'); // the last reminder is younger than a day
  await sweep();
  expect(await reminders(envelope)).toHaveLength(1);
  await due(envelope);
  await sweep();
  expect(await reminders(envelope)).toHaveLength(2);
  expect((await bench.show(envelope)).signers[0]).toMatchObject({ reminders_sent: 2, next_reminder_at: null });
  const audit = await bench.app.call<AuditPage>(`/v1/envelopes/${envelope.id}/audit`, { key: bench.tenant.apiKey });
  expect(audit.body.data.filter(({ type }) => type === 'signer.reminded')).toMatchObject([
    { role: 'buyer', data: { scheduled: true, count: 1 } },
    { role: 'buyer', data: { scheduled: true, count: 2 } },
  ]);
});

test('over the limit of mails to one address a reminder waits', async () => {
  const envelope = await bench.send('ana@example.org', { reminders: REMINDERS });
  await bench.database.query(
    `insert into signing.mail_taken (tenant_id, address_index, taken_at)
     select tenant_id, address_index, now() from signing.mail_taken, generate_series(1, 100000) where tenant_id = $1`,
    [bench.tenant.id],
  );
  await due(envelope);
  await sweep();
  expect(await reminders(envelope)).toEqual([{ waiting_for: 'room' }]);
  expect((await bench.show(envelope)).signers[0]?.mail).toBe('waiting_for_limit');
});

test('nobody is reminded of an envelope that has ended, is past its time or was switched off', async () => {
  const send = () => bench.send('ana@example.org', { reminders: { after_days: 1 } });
  const [ended, late, quiet] = [await send(), await send(), await send()];
  expect((await bench.show(ended)).reminders).toEqual({ after_days: 1, every_days: 1, most: 3 });
  await bench.post(`${ended.id}/void`, { reason: 'Otro contrato' });
  expect((await bench.show(ended)).signers[0]?.next_reminder_at).toBeNull();
  const id = uuidOf('env', late.id);
  await bench.database.query(`update signing.envelope set expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ]);
  const call = { method: 'DELETE', key: bench.tenant.apiKey };
  const stopped = await bench.app.call<EnvelopeView>(`/v1/envelopes/${quiet.id}/reminders`, call);
  expect(stopped.body).toMatchObject({ reminders: null, signers: [{ next_reminder_at: null }, {}] });
  for (const envelope of [ended, late, quiet]) await due(envelope);
  await sweep();
  expect((await Promise.all([ended, late, quiet].map(reminders))).flat()).toEqual([]);
});

test('reminders without mails are refused, and so are too many', async () => {
  const create = (changes: object) =>
    bench.app.call<Problem>('/v1/envelopes', {
      key: bench.tenant.apiKey,
      body: { circuit_id: bench.circuitId, signers: signersOf('ana@example.org'), ...changes },
    });
  const pointersOf = ({ body }: { body: Problem }) => body.errors?.map(({ pointer }) => pointer);
  expect(pointersOf(await create({ notify: false, reminders: REMINDERS }))).toEqual(['/reminders']);
  expect(pointersOf(await create({ reminders: { after_days: 0, most: 11 } }))).toEqual(['/reminders/after_days', '/reminders/most']); // prettier-ignore
});
