import { randomBytes } from 'node:crypto';
import { SecretBox } from '@constancia/kernel';
import { TEST_SECRETS_KEY, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reseal, type SealedColumn } from './index.ts';

const former = Buffer.from(TEST_SECRETS_KEY, 'base64');
const next = randomBytes(32);
const COLUMN: SealedColumn = {
  table: 'platform.tenant',
  key: ['id'],
  column: 'webhook_secret',
  context: ({ id }) => `webhook_secret:${id}`,
};

describe('reseal', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database?.drop());

  const sealedOf = async (id: string): Promise<Buffer> => {
    const rows = await database.query<{ sealed: Buffer }>(`select webhook_secret as sealed from platform.tenant where id = $1`, [id]); // prettier-ignore
    return (rows[0] as { sealed: Buffer }).sealed;
  };

  it('seals every value with the first key, whichever tenant it belongs to, and then has nothing left to do', async () => {
    const tenants = [await testTenant(database), await testTenant(database), await testTenant(database)];
    const box = new SecretBox([next, former]);
    expect(await reseal(database.owner('platform'), box, [COLUMN])).toEqual({ 'platform.tenant.webhook_secret': 3 });
    for (const { id, webhookSecret } of tenants)
      expect(new SecretBox([next]).open(await sealedOf(id), `webhook_secret:${id}`).toString()).toBe(webhookSecret);
    expect(await reseal(database.owner('platform'), box, [COLUMN])).toEqual({ 'platform.tenant.webhook_secret': 0 });
  });

  it('stops at a value that none of its keys opens, and leaves it', async () => {
    const { id } = await testTenant(database);
    const before = await sealedOf(id);
    await expect(reseal(database.owner('platform'), new SecretBox([next]), [COLUMN])).rejects.toThrow(/does not have/);
    expect(await sealedOf(id)).toEqual(before);
  });
});
