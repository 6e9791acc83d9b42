import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import { expect, it, vi } from 'vitest';
import { ErasureSweep } from './erasure-sweep.ts';

it('an erasure that cannot be finished does not stop the others, and is reported by the run', async () => {
  const waiting = ['a', 'b', 'c'].map((id) => ({ tenant_id: `tenant-${id}`, id }));
  const settle = vi.fn((_: string, id: string) =>
    id === 'a' ? Promise.reject(new Error('no key')) : Promise.resolve(),
  );
  const database = { query: () => Promise.resolve(waiting) } as unknown as Database;
  const sweep = new ErasureSweep(database, { settle } as never, { warn: vi.fn() } as unknown as Logger);
  await expect(sweep.run()).rejects.toMatchObject({ about: { receipt_id: 'a' }, message: 'no key' });
  expect(settle.mock.calls).toEqual(waiting.map(({ tenant_id, id }) => [tenant_id, id]));
});
