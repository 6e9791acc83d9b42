import {
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useApis, useSignedIn } from './member.tsx';
import { ApiError } from '../api/api-error.ts';
import { answerOf, type Apis } from '../api/apis.ts';

/** A page of a list of the API. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

export type Call<Answer> = Parameters<typeof answerOf<Answer>>[0];

/** What a list is loaded by. `key` begins with the name of what is listed and holds the filter. */
export interface Listing<Row> {
  key: QueryKey;
  load: (apis: Apis, cursor: string | undefined) => Call<Page<Row>>;
}

/** A list that the route began to load is not loaded again by its screen. */
const FRESH_MS = 1_000;

/** Requests end when nobody waits for them any more: a page that was left does not compete with the next one. */
const pagesOf = <Row>(apis: Apis, { key, load }: Listing<Row>) => ({
  queryKey: key,
  initialPageParam: undefined as string | undefined,
  queryFn: ({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) =>
    answerOf(load(apis.until(signal), pageParam)),
  getNextPageParam: ({ next_cursor }: Page<Row>) => next_cursor ?? undefined,
  staleTime: FRESH_MS,
});

/** Begins to load the first page of a list before its screen is there. */
export const loadAhead = <Row>(queries: QueryClient, apis: Apis, listing: Listing<Row>): Promise<void> =>
  queries.prefetchInfiniteQuery(pagesOf(apis, listing));

/** The rows of a list, page after page. */
export function useListing<Row>(listing: Listing<Row>): UseInfiniteQueryResult<Row[]> {
  return useInfiniteQuery({
    ...pagesOf(useApis(), listing),
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    refetchOnWindowFocus: false, // it would load every page again
  });
}

/** The same by a key and a request. */
export const useRecords = <Row>(key: QueryKey, load: Listing<Row>['load']): UseInfiniteQueryResult<Row[]> =>
  useListing({ key, load });

/** Every row of a list as one page. `most`: it ends with the page that reaches so many, and `next_cursor` is null only if no more follow. */
export async function allPages<Row>(
  load: (cursor: string | undefined) => Promise<Page<Row>>,
  most = Infinity,
): Promise<Page<Row>> {
  const data: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await load(cursor ?? undefined);
    data.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && data.length < most);
  return { data, next_cursor: cursor };
}

/** Every row of a list, once all are there: to choose from, or to compute with. Its `key` may be that of `useRecords`. */
export function useAllRecords<Row>(
  key: QueryKey,
  load: Listing<Row>['load'],
  /** false: the member may not ask for it. */
  enabled = true,
): UseQueryResult<Row[]> {
  const apis = useApis();
  return useQuery({
    queryKey: [...key, 'all'],
    enabled,
    queryFn: async ({ signal }) => (await allPages((cursor) => answerOf(load(apis.until(signal), cursor)))).data,
    refetchOnWindowFocus: false, // it would load every page again
  });
}

/** How long an answer is asked for again. */
interface Watch<Answer> {
  while: (answer: Answer) => boolean;
  everyMs: number;
  times: number;
}

/** One record, or whatever one request answers. */
export function useRecord<Answer>(
  key: QueryKey,
  load: (apis: Apis) => Call<Answer>,
  /** `'once'`: it never changes, such as a file. */
  watch?: Watch<Answer> | 'once',
  /** false: the member may not ask for it, or there is nothing to ask for yet. */
  enabled = true,
): UseQueryResult<Answer> {
  const apis = useApis();
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(load(apis.until(signal))),
    enabled,
    staleTime: watch === 'once' ? Infinity : 0,
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) =>
      watch !== undefined &&
      watch !== 'once' &&
      data !== undefined &&
      dataUpdateCount + errorUpdateCount <= watch.times &&
      watch.while(data) &&
      watch.everyMs,
  });
}

/** Calls the API; what begins with one of `keys` is loaded again. @throws ApiError, Unreachable */
export function useCall(): <Answer>(change: (apis: Apis) => Call<Answer>, ...keys: QueryKey[]) => Promise<Answer> {
  const { apis, leave } = useSignedIn();
  const queries = useQueryClient();
  return async (change, ...keys) => {
    const readAgain = (): void => keys.forEach((queryKey) => void queries.invalidateQueries({ queryKey }));
    try {
      const answer = await answerOf(change(apis));
      readAgain();
      return answer;
    } catch (error) {
      if (!(error instanceof ApiError))
        readAgain(); // nobody knows whether it was done
      else if (error.status === 401) leave('ended');
      throw error;
    }
  };
}
