import { describe, expect, it } from 'vitest';
import { PageQuery, afterNumber, cursorKeys, page } from '../index.ts';

const ROWS = Array.from({ length: 5 }, (_, i) => ({ id: `id-${i}`, seq: i }));

function query(cursor?: string): PageQuery {
  return Object.assign(new PageQuery(), { cursor });
}

describe('a page', () => {
  it('has a cursor that leads to the rows after its last one', () => {
    const first = page(ROWS.slice(0, 3), 2, (row) => [row.seq, row.id]);
    expect(first.data).toEqual(ROWS.slice(0, 2));
    expect(cursorKeys(query(first.next_cursor as string), 2)).toEqual([1, 'id-1']);
  });

  it('that is the last has none', () => {
    expect(page(ROWS.slice(3), 2, (row) => [row.id])).toEqual({ data: ROWS.slice(3), next_cursor: null });
    expect(page([], 2, () => [])).toEqual({ data: [], next_cursor: null });
  });

  it('begins at the start without a cursor', () => {
    expect(cursorKeys(query(), 2)).toBeUndefined();
  });

  it.each(['nonsense', 'e30', 'WzFd', '', 'x'.repeat(600)])('is refused for the cursor %j', (cursor) => {
    expect(() => cursorKeys(query(cursor), 2)).toThrow('/query/cursor');
  });

  it.each([2 ** 31, 2 ** 53 - 1, -1, 0.5])('of a list by number is refused for the cursor of %s', (number) => {
    const cursor = Buffer.from(JSON.stringify([number])).toString('base64url');
    expect(() => afterNumber(query(cursor))).toThrow('/query/cursor');
  });
});
