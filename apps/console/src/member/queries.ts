import {
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

/** The rows of a list, page after page. `key` begins with the name of what is listed and holds the filter. */
export function useRecords<Row>(
  key: QueryKey,
  load: (apis: Apis, cursor: string | undefined) => Call<Page<Row>>,
): UseInfiniteQueryResult<Row[]> {
  const apis = useApis();
  return useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) => answerOf(load(apis, pageParam)),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
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
  watch?: Watch<Answer>,
  /** false: the member may not ask for it, or there is nothing to ask for yet. */
  enabled = true,
): UseQueryResult<Answer> {
  const apis = useApis();
  return useQuery({
    queryKey: key,
    queryFn: () => answerOf(load(apis)),
    enabled,
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) =>
      watch !== undefined &&
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
