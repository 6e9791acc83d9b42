import type { Principal } from '@constancia/http';
import { expect, it } from 'vitest';
import { Manifest } from './manifest.ts';

it('names the state of each module once, the one that its files are of', () => {
  const tenant = { id: '00000000-0000-0000-0000-000000000001', slug: 'a', environment: 'sandbox' };
  const principal = { tenant, kind: 'key', id: '00000000-0000-0000-0000-000000000002', name: 'k' };
  const manifest = new Manifest('platform', principal as Principal);
  const [first, second] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-11-01T00:00:05Z')];
  manifest.addSnapshot('platform', first); // of a replica that failed then
  manifest.addSnapshot('platform', second);
  manifest.addSnapshot('identity', second);
  const { snapshots } = JSON.parse(Buffer.concat([...manifest.chunks()]).toString()) as { snapshots: object[] };
  expect(snapshots).toEqual([
    { module: 'platform', at: second.toISOString() },
    { module: 'identity', at: second.toISOString() },
  ]);
});
