import type { Mailer } from '@constancia/mail';
import { type Database, DatabaseUnavailableError, type Tx } from '@constancia/persistence';
import { KeysUnavailableError, type PersonalData } from '@constancia/personal-data';
import type { Logger } from '@constancia/telemetry';
import { expect, test, vi } from 'vitest';
import { SignerMailLoop } from './signer-mail-loop.ts';

const MAIL = { id: 'mail', tenant_id: 'tenant', kind: 'invitation', attempts: 1, lease_token: 'lease' };

/** What a loop writes about a mail whose keys cannot be read for this reason. */
async function notedFor(error: Error): Promise<{ sql: string; params: unknown[] }> {
  const noted: { sql: string; params: unknown[] }[] = [];
  const claimed = [[{ ...MAIL, sealed_person: Buffer.from('sealed') }]];
  const query = (sql: string, params: unknown[]) => Promise.resolve(noted.push({ sql, params }));
  const loop = new SignerMailLoop(
    {
      query: () => Promise.resolve(claimed.pop() ?? []),
      tenant: (_: string, work: (tx: Tx) => unknown) => work({ query } as unknown as Tx),
    } as unknown as Database,
    { tenant: () => Promise.reject(error) } as unknown as PersonalData,
    { send: vi.fn(() => Promise.reject(new Error('nothing is to be sent'))) } as unknown as Mailer,
    {} as never,
    {} as never,
    {} as never,
    {} as never,
    { warn: vi.fn() } as unknown as Logger,
  );
  loop.wake();
  await vi.waitFor(() => expect(noted).toHaveLength(1));
  await loop.onApplicationShutdown();
  return noted[0] as (typeof noted)[number];
}

test.each([
  ['database_unavailable', new DatabaseUnavailableError()],
  ['keys_unavailable', new KeysUnavailableError()],
])('a mail whose keys cannot be read now is tried again: %s', async (failure, error) => {
  const { sql, params } = await notedFor(error);
  expect(sql).toContain('due_at = now()');
  expect(sql).not.toContain('failed_at');
  expect(params).toContain(failure);
});

test('a mail that cannot be opened is given up', async () => {
  const { sql, params } = await notedFor(new Error('the key of a mail was destroyed'));
  expect(sql).toContain('failed_at = now()');
  expect(params).toContain('not_sendable');
});
