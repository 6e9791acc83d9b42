import { Link } from '@tanstack/react-router';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useText } from '../text/language.ts';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import type { BatchRow } from './batch-facts.tsx';
import { BatchState } from './batch-state.tsx';
import type { BatchWords } from './batch-words.ts';

interface BatchListProps {
  words: BatchWords;
  query: UseInfiniteQueryResult<BatchRow[]>;
  /** The page of one of them. */
  one: '/screenings/batches/$id' | '/signing/batches/$id';
  /** The page that starts one; null: the member may not. */
  start: '/screenings/batch' | '/signing/batch' | null;
}

/** The batches of one kind that were started, newest first. */
export function BatchList({ words, query, one, start }: BatchListProps) {
  const { clock, number } = useText();
  return (
    <>
      <PageHead title={words.list} lead={words.listLead}>
        {start !== null && (
          <Link to={start} className="button primary">
            {words.open}
          </Link>
        )}
      </PageHead>
      <RecordTable
        caption={words.list}
        query={query}
        keyOf={({ id }) => id}
        empty={words.none}
        columns={[
          {
            title: words.created,
            wide: true,
            of: ({ id, created_at }) => (
              <Link to={one} params={{ id }}>
                {clock(created_at)}
              </Link>
            ),
          },
          { title: words.reference, of: ({ external_ref }) => external_ref ?? '–' },
          {
            title: words.status,
            wide: true,
            of: (batch) => <BatchState of={batch} words={words} />,
            width: 'minmax(0, 2fr)',
          },
          { title: words.done, of: ({ processed, rows }) => `${number(processed)} / ${number(rows)}` },
          { title: words.credits, of: ({ credits_debited }) => number(credits_debited) },
        ]}
      />
    </>
  );
}
