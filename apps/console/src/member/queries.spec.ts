import { describe, expect, it } from 'vitest';
import { allPages, type Page } from './queries.ts';

describe('every page of a list', () => {
  const PAGES: Record<string, Page<number>> = {
    first: { data: [1, 2], next_cursor: 'b' },
    b: { data: [3, 4], next_cursor: 'c' },
    c: { data: [5], next_cursor: null },
  };
  const load = (cursor = 'first') => Promise.resolve(PAGES[cursor] as Page<number>);

  it('is one page', async () => {
    expect(await allPages(load)).toEqual({ data: [1, 2, 3, 4, 5], next_cursor: null });
  });

  it('ends with the page that reaches the most that is wanted, and says that there are more', async () => {
    expect(await allPages(load, 3)).toEqual({ data: [1, 2, 3, 4], next_cursor: 'c' });
  });
});
