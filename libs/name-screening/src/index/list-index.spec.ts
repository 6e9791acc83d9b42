import { describe, expect, it } from 'vitest';
import { entryOf } from '../match/entry.fixture.ts';
import { ListSet } from '../match/list-set.ts';
import { buildIndex } from './build-index.ts';
import { diffEntries } from './diff-entries.ts';
import { ListIndex } from './list-index.ts';
import { IndexUnreadable } from './section-file.ts';

const ENTRIES = [
  entryOf({ id: 'a', names: ['Arnulfo Chiquillo', '毛泽东', 'Fulano Ñandú'] }),
  entryOf({
    id: 'b',
    kind: 'organisation',
    names: ['Inversiones Cuaspud S.A.S.'],
    identifiers: [{ type: 'NIT', country: 'CO', number: '800197268-4' }],
  }),
];
const index = buildIndex('ONU', ENTRIES);

describe('an index', () => {
  it('gives back its entries, in their order and by id', () => {
    expect([...index.entries()]).toEqual(ENTRIES);
    expect(index.entry('b')).toEqual(ENTRIES[1]);
    expect(index.entry('c')).toBeUndefined();
    expect([index.list, index.entryCount]).toEqual(['ONU', 2]);
  });

  it('is the same bytes for the same entries, and the same index when read', () => {
    const bytes = index.serialise();
    expect(Buffer.from(bytes).equals(Buffer.from(buildIndex('ONU', ENTRIES).serialise()))).toBe(true);
    const read = ListIndex.read(bytes);
    expect([...read.entries()]).toEqual(ENTRIES);
    expect(Buffer.from(read.serialise()).equals(Buffer.from(bytes))).toBe(true);
  });

  it('is read from bytes that lie anywhere in a buffer', () => {
    const bytes = index.serialise();
    for (const shift of [1, 3, 8]) {
      const pool = new Uint8Array(bytes.length + 16);
      pool.set(bytes, shift);
      const read = ListIndex.read(pool.subarray(shift, shift + bytes.length));
      expect(new ListSet([read]).match({ fullName: 'Arnulfo Chiquilo' }).hits).toMatchObject([
        { list: 'ONU', entryId: 'a' },
      ]);
    }
  });

  it('of no entries finds nothing', () => {
    const empty = ListIndex.read(buildIndex('PEP', []).serialise());
    expect(
      new ListSet([empty]).match({ fullName: 'Arnulfo Chiquillo', documents: [{ type: 'CC', number: '79123456' }] })
        .hits,
    ).toEqual([]);
  });

  it.each([
    ['not_an_index', () => Buffer.from('a,b,c\n')],
    ['not_an_index', () => new Uint8Array(0)],
    ['other_format', (bytes: Buffer) => (bytes.writeUInt32LE(99, 8), bytes)],
    ['damaged', (bytes: Buffer) => bytes.subarray(0, bytes.length - 8)],
    ['damaged', (bytes: Buffer) => ((bytes[bytes.length - 20] = 0x7f), bytes)],
    ['damaged', (bytes: Buffer) => ((bytes[60] = 0x7f), bytes)],
  ])('refuses bytes that are %s', (code, change) => {
    const read = () => ListIndex.read(change(Buffer.from(index.serialise())));
    expect(read).toThrow(IndexUnreadable);
    expect(read).toThrow(expect.objectContaining({ code }) as Error);
  });
});

describe('the difference of two versions', () => {
  const [a, b] = ENTRIES as [(typeof ENTRIES)[0], (typeof ENTRIES)[0]];
  const c = entryOf({ id: 'c' });

  it('is what came, what changed and what went, by content', () => {
    const changed = { ...b, programmes: ['SDGT'] };
    expect(diffEntries([a, b], [c, changed])).toEqual({
      added: [c],
      changed: [{ before: b, after: changed }],
      removed: [a],
    });
  });

  it('is nothing for another order of entries or members', () => {
    const { id, ...rest } = a;
    expect(diffEntries([a, b], [b, { ...rest, id }])).toEqual({ added: [], changed: [], removed: [] });
  });
});
