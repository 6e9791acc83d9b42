import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';
import { expect, it, vi } from 'vitest';
import { DutySweep } from './duty-sweep.ts';

it('a duty that cannot be ended does not stop the others, and is reported by the run', async () => {
  const due = ['a', 'b', 'c'].map((id) => ({ tenant_id: `tenant-${id}`, id }));
  const endDuty = vi.fn((_: string, id: string) =>
    id === 'a' ? Promise.reject(new Error('no key')) : Promise.resolve(),
  );
  const database = { query: () => Promise.resolve(due) } as unknown as Database;
  const sweep = new DutySweep(database, { endDuty } as never, { warn: vi.fn() } as unknown as Logger);
  await expect(sweep.run()).rejects.toMatchObject({ about: { receipt_id: 'a' }, message: 'no key' });
  expect(endDuty.mock.calls).toEqual(due.map(({ tenant_id, id }) => [tenant_id, id]));
});
