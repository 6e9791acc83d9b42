import { BatchList } from '../../batches/batch-list.tsx';
import { useMay } from '../../member/member.tsx';
import { useRecords } from '../../member/queries.ts';
import { useSigningText } from '../text/language.ts';
import { BATCHES } from './query-keys.ts';

/** Files of envelopes that were sent, or are. */
export function Batches() {
  const { words } = useSigningText();
  const may = useMay();
  const query = useRecords([...BATCHES, 'list'], ({ signing }, cursor) =>
    signing.GET('/v1/envelope-batches', { params: { query: { cursor, limit: 100, order: 'desc' } } }),
  );
  const start = may('signing:write') ? '/signing/batch' : null;
  return <BatchList words={words.batch} query={query} one="/signing/batches/$id" start={start} />;
}
