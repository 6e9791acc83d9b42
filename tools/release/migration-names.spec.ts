import { describe, expect, it } from 'vitest';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';

describe('migrations', () => {
  it('have names of their own: where two are bundled together, one of the same name would be renamed and lose its place', () => {
    const names = [PLATFORM, IDENTITY, COMPLIANCE, SIGNING].flatMap(({ migrations }) =>
      migrations.map(({ name }) => name),
    );
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
    expect(names.filter((name) => !/^[A-Z]\w*\d{13}$/.test(name))).toEqual([]);
  });
});
