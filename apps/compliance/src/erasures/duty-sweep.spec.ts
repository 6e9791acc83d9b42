import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import { expect, it, vi } from 'vitest';
import { DutySweep } from './duty-sweep.ts';

it('a duty that cannot be ended does not stop the others', async () => {
  const due = ['a', 'b', 'c'].map((id) => ({ tenant_id: `tenant-${id}`, id }));
  const endDuty = vi.fn((_: string, id: string) =>
    id === 'a' ? Promise.reject(new Error('no key')) : Promise.resolve(),
  );
  const warn = vi.fn();
  const database = { query: () => Promise.resolve(due) } as unknown as Database;
  await new DutySweep(database, { endDuty } as never, { warn } as unknown as Logger).sweep();
  expect(endDuty.mock.calls).toEqual(due.map(({ tenant_id, id }) => [tenant_id, id]));
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ receipt_id: 'a' }), expect.any(String));
});
