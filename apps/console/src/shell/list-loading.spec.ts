import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Apis } from '../api/apis.ts';
import { type Listing, loadAhead } from '../member/queries.ts';
import { listLoading } from './list-loading.ts';

const member = { id: 'mbr_1', name: 'Ana Ruiz', email: 'ana@b.co', role: 'analyst' } as const;

/** APIs that only a listing calls, with the signal of its reading. */
function apisWith(signals: AbortSignal[]): Apis {
  const apis = {} as Apis;
  apis.until = (signal) => {
    signals.push(signal);
    return apis;
  };
  return apis;
}

it('loads a list when its screen is entered, not while the link has the focus, nor when the screen loads by itself', async () => {
  const queries = new QueryClient();
  const apis = apisWith([]);
  const asked: string[] = [];
  const { loader } = listLoading((search: { status: string }, { name }): Listing<string> => ({
    key: ['cases', search],
    load: () => {
      asked.push(`${search.status} of ${name}`);
      return Promise.resolve({ data: { data: ['a case'], next_cursor: null }, response: new Response() });
    },
  }));
  const deps = { status: 'open' };
  const context = { apis, member, queries };
  loader({ context, deps, cause: 'preload' });
  loader({ context, deps, cause: 'stay' });
  expect(asked).toEqual([]);
  loader({ context, deps, cause: 'enter' });
  await expect.poll(() => queries.getQueryData(['cases', deps])).toMatchObject({ pages: [{ data: ['a case'] }] });
  expect(asked).toEqual(['open of Ana Ruiz']);
});

it('ends the requests of a list that nobody waits for any more', async () => {
  const queries = new QueryClient();
  const signals: AbortSignal[] = [];
  const never: Listing<string> = { key: ['events'], load: () => new Promise(() => undefined) };
  void loadAhead(queries, apisWith(signals), never);
  await expect.poll(() => signals.length).toBe(1);
  expect(signals[0]?.aborted).toBe(false);
  await queries.cancelQueries({ queryKey: ['events'] });
  expect(signals[0]?.aborted).toBe(true);
});
