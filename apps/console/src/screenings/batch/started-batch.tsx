import { getRouteApi, Link } from '@tanstack/react-router';
import { BatchActions } from '../../batches/batch-actions.tsx';
import { BatchFacts, WATCH } from '../../batches/batch-facts.tsx';
import { isOpen } from '../../batches/batch-state.tsx';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { BATCHES, SCREENINGS } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';

const route = getRouteApi('/screenings/batches/$id');

/** One batch: how far it is, its results so far, and the way to end it. It goes on whether or not the page is open. */
export function StartedBatch() {
  const { words } = useScreeningText();
  const { id } = route.useParams();
  const may = useMay();
  const call = useCall();
  const path = { id };
  const query = useRecord(
    [...BATCHES, id],
    ({ compliance }) => compliance.GET('/v1/screening-batches/{id}', { params: { path } }),
    { ...WATCH, while: isOpen },
  );
  const results = () =>
    call(({ compliance }) =>
      compliance.GET('/v1/screening-batches/{id}/results', {
        params: { path, query: { format: 'csv' } },
        parseAs: 'blob',
      }),
    );
  const cancel = () =>
    call(
      ({ compliance }) => compliance.POST('/v1/screening-batches/{id}/cancel', { params: { path } }),
      BATCHES,
      SCREENINGS,
    );
  return (
    <>
      <PageHead title={words.batch.one} of={id} lead={words.batch.oneLead}>
        {query.data !== undefined && (
          <BatchActions
            of={query.data}
            words={words.batch}
            mayCancel={may('compliance:screen')}
            results={results}
            cancel={cancel}
          />
        )}
      </PageHead>
      <Loaded query={query}>
        {(batch) => <BatchFacts of={batch} words={words.batch} by={[words.validation, batch.validation_code]} />}
      </Loaded>
      <Link to="/screenings/batches">{words.batch.list}</Link>
    </>
  );
}
