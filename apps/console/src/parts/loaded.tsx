import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useText } from '../text/language.ts';
import { Failure } from './failure.tsx';

/** Shows an answer once it is there, and above what was there before why it could not be loaded again. */
export function Loaded<Answer>(props: { query: UseQueryResult<Answer>; children: (answer: Answer) => ReactNode }) {
  const { text } = useText();
  const { data, error, refetch } = props.query;
  return (
    <>
      {error !== null && <Failure error={error} onAgain={() => void refetch()} />}
      {data === undefined
        ? error === null && (
            <p className="loading" role="status">
              {text.loading}
            </p>
          )
        : props.children(data)}
    </>
  );
}
