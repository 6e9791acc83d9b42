import { Link } from '@tanstack/react-router';
import { BatchState } from '../../batches/batch-state.tsx';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { BATCHES } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';

/** Files of subjects that were screened, or are. */
export function Batches() {
  const { words, clock, number } = useScreeningText();
  const may = useMay();
  const query = useRecords([...BATCHES, 'list'], ({ compliance }, cursor) =>
    compliance.GET('/v1/screening-batches', { params: { query: { cursor, limit: 100, order: 'desc' } } }),
  );
  return (
    <>
      <PageHead title={words.batch.list} lead={words.batch.listLead}>
        {may('compliance:screen') && (
          <Link to="/screenings/batch" className="button primary">
            {words.batch.open}
          </Link>
        )}
      </PageHead>
      <RecordTable
        caption={words.batch.list}
        query={query}
        keyOf={({ id }) => id}
        empty={words.batch.none}
        columns={[
          {
            title: words.batch.created,
            wide: true,
            of: ({ id, created_at }) => (
              <Link to="/screenings/batches/$id" params={{ id }}>
                {clock(created_at)}
              </Link>
            ),
          },
          { title: words.batch.reference, of: ({ external_ref }) => external_ref ?? '–' },
          {
            title: words.batch.status,
            wide: true,
            of: (batch) => <BatchState of={batch} words={words.batch} />,
            width: 'minmax(0, 2fr)',
          },
          { title: words.batch.done, of: ({ processed, rows }) => `${number(processed)} / ${number(rows)}` },
          { title: words.batch.credits, of: ({ credits_debited }) => number(credits_debited) },
        ]}
      />
    </>
  );
}
