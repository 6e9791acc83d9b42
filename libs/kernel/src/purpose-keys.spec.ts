import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KEY_PURPOSES, type KeyPurpose, purposeKeys } from './purpose-keys.ts';
import { SecretBox } from './secret-box.ts';

const [NEW, OLD] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const box = (secretsKey: string, derivedKeys: boolean) => SecretBox.ofSecret({ secretsKey, derivedKeys });
const before = (secretsKey: string) => SecretBox.fromText(secretsKey); // what the previous release uses

describe('keys derived per purpose', () => {
  it('are different for each purpose, and none is the secret', () => {
    const settings = { secretsKey: NEW, derivedKeys: true };
    const keys = (Object.keys(KEY_PURPOSES) as KeyPurpose[]).map((purpose) => purposeKeys(settings, purpose));
    const first = keys.map(([key]) => key?.toString('base64'));
    expect(new Set([...first, NEW]).size).toBe(first.length + 1);
  });

  it('are not written with before they are switched on: the previous release opens everything', () => {
    expect(before(NEW).open(box(NEW, false).seal('secret', 'c'), 'c').toString()).toBe('secret');
    expect(() => before(NEW).open(box(NEW, true).seal('secret', 'c'), 'c')).toThrow(/does not have/);
  });

  it('are read whether switched on or off, together with what was sealed before, also under a former secret', () => {
    for (const derived of [true, false]) {
      const reader = box(`${NEW},${OLD}`, derived);
      for (const writer of [box(OLD, true), box(OLD, false), before(OLD), box(NEW, !derived)]) {
        expect(reader.open(writer.seal('secret', 'c'), 'c').toString()).toBe('secret');
      }
    }
  });
});
