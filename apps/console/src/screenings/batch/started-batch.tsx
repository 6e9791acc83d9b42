import { getRouteApi } from '@tanstack/react-router';
import { WATCH } from '../../batches/batch-facts.tsx';
import { isOpen } from '../../batches/batch-state.tsx';
import { OneBatch } from '../../batches/one-batch.tsx';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { BATCHES, SCREENINGS } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';

const route = getRouteApi('/screenings/batches/$id');
const RESULTS = { query: { format: 'csv' } } as const;

/** A batch of screenings. */
export function StartedBatch() {
  const { words } = useScreeningText();
  const path = route.useParams();
  const may = useMay();
  const call = useCall();
  const query = useRecord(
    [...BATCHES, path.id],
    ({ compliance }) => compliance.GET('/v1/screening-batches/{id}', { params: { path } }),
    { ...WATCH, while: isOpen },
  );
  return (
    <OneBatch
      id={path.id}
      words={words.batch}
      query={query}
      mayCancel={may('compliance:screen')}
      results={() =>
        call(({ compliance }) =>
          compliance.GET('/v1/screening-batches/{id}/results', { params: { path, ...RESULTS }, parseAs: 'blob' }),
        )
      }
      cancel={() =>
        call(
          ({ compliance }) => compliance.POST('/v1/screening-batches/{id}/cancel', { params: { path } }),
          BATCHES,
          SCREENINGS,
        )
      }
      by={({ validation_code }) => [words.validation, validation_code]}
      list="/screenings/batches"
    />
  );
}
