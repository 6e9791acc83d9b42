import { BatchList } from '../../batches/batch-list.tsx';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { BATCHES } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';

/** Files of subjects that were screened, or are. */
export function Batches() {
  const { words } = useScreeningText();
  const may = useMay();
  const query = useRecords([...BATCHES, 'list'], ({ compliance }, cursor) =>
    compliance.GET('/v1/screening-batches', { params: { query: { cursor, limit: 100, order: 'desc' } } }),
  );
  const start = may('compliance:screen') ? '/screenings/batch' : null;
  return <BatchList words={words.batch} query={query} one="/screenings/batches/$id" start={start} />;
}
