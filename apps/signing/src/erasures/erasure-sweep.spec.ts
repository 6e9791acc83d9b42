import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import { expect, it, vi } from 'vitest';
import { ErasureSweep } from './erasure-sweep.ts';

it('an erasure that cannot be finished does not stop the others', async () => {
  const waiting = ['a', 'b', 'c'].map((id) => ({ tenant_id: `tenant-${id}`, id }));
  const settle = vi.fn((_: string, id: string) =>
    id === 'a' ? Promise.reject(new Error('no key')) : Promise.resolve(),
  );
  const warn = vi.fn();
  const database = { query: () => Promise.resolve(waiting) } as unknown as Database;
  await new ErasureSweep(database, { settle } as never, { warn } as unknown as Logger).sweep();
  expect(settle.mock.calls).toEqual(waiting.map(({ tenant_id, id }) => [tenant_id, id]));
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ receipt_id: 'a' }), expect.any(String));
});
