import { getRouteApi, Link } from '@tanstack/react-router';
import { BatchActions } from '../../batches/batch-actions.tsx';
import { BatchFacts, WATCH } from '../../batches/batch-facts.tsx';
import { isOpen } from '../../batches/batch-state.tsx';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ENVELOPES } from '../envelopes/use-envelope.ts';
import { useSigningText } from '../text/language.ts';
import { BATCHES } from './query-keys.ts';

const route = getRouteApi('/signing/batches/$id');

/** One batch: how far it is, its results so far, and the way to end it. It goes on whether or not the page is open. */
export function StartedBatch() {
  const { words } = useSigningText();
  const { id } = route.useParams();
  const may = useMay();
  const call = useCall();
  const path = { id };
  const query = useRecord(
    [...BATCHES, id],
    ({ signing }) => signing.GET('/v1/envelope-batches/{id}', { params: { path } }),
    { ...WATCH, while: isOpen },
  );
  const results = () =>
    call(({ signing }) =>
      signing.GET('/v1/envelope-batches/{id}/results', {
        params: { path, query: { format: 'csv' } },
        parseAs: 'blob',
      }),
    );
  const cancel = () =>
    call(({ signing }) => signing.POST('/v1/envelope-batches/{id}/cancel', { params: { path } }), BATCHES, ENVELOPES);
  return (
    <>
      <PageHead title={words.batch.one} of={id} lead={words.batch.oneLead}>
        {query.data !== undefined && (
          <BatchActions
            of={query.data}
            words={words.batch}
            mayCancel={may('signing:write')}
            results={results}
            cancel={cancel}
          />
        )}
      </PageHead>
      <Loaded query={query}>
        {(batch) => (
          <BatchFacts
            of={batch}
            words={words.batch}
            by={[
              words.send.circuit,
              <Link to="/signing/circuits/$id" params={{ id: batch.circuit_id }}>
                {batch.circuit_id}
              </Link>,
            ]}
          />
        )}
      </Loaded>
      <Link to="/signing/batches">{words.batch.list}</Link>
    </>
  );
}
