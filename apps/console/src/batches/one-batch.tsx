import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { BatchActions } from './batch-actions.tsx';
import { BatchFacts, type BatchRow } from './batch-facts.tsx';
import type { BatchWords } from './batch-words.ts';

interface OneBatchProps<Batch extends BatchRow> {
  id: string;
  words: BatchWords;
  query: UseQueryResult<Batch>;
  mayCancel: boolean;
  results: () => Promise<Blob>;
  cancel: () => Promise<unknown>;
  /** What its rows are done by. */
  by: (batch: Batch) => readonly [label: string, value: ReactNode];
  list: '/screenings/batches' | '/signing/batches';
}

/** One batch: how far it is, its results so far, and the way to end it. It goes on whether or not the page is open. */
export function OneBatch<Batch extends BatchRow>(props: OneBatchProps<Batch>) {
  const { id, words, query, mayCancel, results, cancel, by, list } = props;
  return (
    <>
      <PageHead title={words.one} of={id} lead={words.oneLead}>
        {query.data !== undefined && (
          <BatchActions of={query.data} words={words} mayCancel={mayCancel} results={results} cancel={cancel} />
        )}
      </PageHead>
      <Loaded query={query}>{(batch) => <BatchFacts of={batch} words={words} by={by(batch)} />}</Loaded>
      <Link to={list}>{words.list}</Link>
    </>
  );
}
