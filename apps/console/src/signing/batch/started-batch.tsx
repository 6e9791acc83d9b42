import { getRouteApi, Link } from '@tanstack/react-router';
import { WATCH } from '../../batches/batch-facts.tsx';
import { isOpen } from '../../batches/batch-state.tsx';
import { OneBatch } from '../../batches/one-batch.tsx';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { ENVELOPES } from '../envelopes/use-envelope.ts';
import { useSigningText } from '../text/language.ts';
import { BATCHES } from './query-keys.ts';

const route = getRouteApi('/signing/batches/$id');
const RESULTS = { query: { format: 'csv' } } as const;

/** A batch of envelopes. */
export function StartedBatch() {
  const { words } = useSigningText();
  const path = route.useParams();
  const may = useMay();
  const call = useCall();
  const query = useRecord(
    [...BATCHES, path.id],
    ({ signing }) => signing.GET('/v1/envelope-batches/{id}', { params: { path } }),
    { ...WATCH, while: isOpen },
  );
  return (
    <OneBatch
      id={path.id}
      words={words.batch}
      query={query}
      mayCancel={may('signing:write')}
      results={() =>
        call(({ signing }) =>
          signing.GET('/v1/envelope-batches/{id}/results', { params: { path, ...RESULTS }, parseAs: 'blob' }),
        )
      }
      cancel={() =>
        call(
          ({ signing }) => signing.POST('/v1/envelope-batches/{id}/cancel', { params: { path } }),
          BATCHES,
          ENVELOPES,
        )
      }
      by={({ circuit_id: id }) => [
        words.send.circuit,
        <Link to="/signing/circuits/$id" params={{ id }}>
          {id}
        </Link>,
      ]}
      list="/signing/batches"
    />
  );
}
