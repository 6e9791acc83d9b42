import { describe, expect, it } from 'vitest';
import { changesOf } from './changes-of.ts';

describe('what is sent of a form', () => {
  it('is what differs from what was read, and nothing that stayed', () => {
    expect(changesOf({ name: 'Ana', role: 'admin' }, { name: 'Ana', role: 'sender' })).toEqual({ role: 'admin' });
    expect(changesOf({ name: 'Ana' }, { name: 'Ana' })).toEqual({});
    expect(changesOf<{ until: string | null }>({ until: null }, { until: '2026-12-01' })).toEqual({ until: null });
  });

  it('has no list that is only in another order, and leaves the lists as they are', () => {
    const edited = { types: ['b', 'a'] };
    expect(changesOf(edited, { types: ['a', 'b'] })).toEqual({});
    expect(changesOf(edited, { types: ['a'] })).toEqual(edited);
    expect(edited.types).toEqual(['b', 'a']);
  });
});
