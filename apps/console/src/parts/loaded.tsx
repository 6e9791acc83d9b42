import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

interface LoadedProps<Answer> {
  query: Pick<UseQueryResult<Answer>, 'data' | 'error'> & { refetch: () => unknown };
  children: (answer: Answer) => ReactNode;
}

/** Shows the answer once it is loaded; if loading it again fails, the error above the former answer. */
export function Loaded<Answer>({ query: { data, error, refetch }, children }: LoadedProps<Answer>) {
  return (
    <>
      {error !== null && <Failure error={error} onAgain={() => void refetch()} />}
      {data !== undefined ? children(data) : error === null && <Loading />}
    </>
  );
}
