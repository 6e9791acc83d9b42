import { PRICE } from '@constancia/contracts/prices';
import { Notice } from '@constancia/web';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { rawBody } from '../../api/raw-body.ts';
import { BatchForm, type BatchRequest } from '../../batches/batch-form.tsx';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { useCircuit } from '../circuits/use-circuit.ts';
import { CircuitChoice } from '../send/circuit-choice.tsx';
import { useSigningText } from '../text/language.ts';
import { ColumnGuide } from './column-guide.tsx';
import { BATCHES } from './query-keys.ts';

const route = getRouteApi('/signing/batch');

/** Many envelopes of a circuit from a file: the service checks every row before the first is sent. */
export function Batch() {
  const { text, words } = useSigningText();
  const { circuit } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  return (
    <>
      <PageHead title={words.batch.title} lead={words.batch.lead} />
      {may('signing:write') ? (
        <>
          <CircuitChoice
            chosen={circuit}
            onChosen={(id) => void navigate({ search: id === '' ? {} : { circuit: id } })}
          />
          {circuit !== undefined && <ChosenCircuit key={circuit} id={circuit} />}
        </>
      ) : (
        <Notice tone="news">{text.problems.forbidden}</Notice>
      )}
    </>
  );
}

function ChosenCircuit({ id }: { id: string }) {
  const query = useCircuit(id);
  return <Loaded query={query}>{(circuit) => <EnvelopeBatchForm circuit={circuit} />}</Loaded>;
}

function EnvelopeBatchForm({ circuit }: { circuit: CircuitRow }) {
  const { words, number } = useSigningText();
  const call = useCall();
  const navigate = useNavigate();
  const send = ({ text, dry_run, header }: BatchRequest) =>
    call(
      ({ signing }) =>
        signing.POST('/v1/envelope-batches', {
          params: { query: { circuit_id: circuit.id, dry_run }, header },
          ...rawBody(text, 'text/csv'),
        }),
      ...(dry_run ? [] : [BATCHES]),
    );
  return (
    <BatchForm
      words={words.batch}
      columns={<ColumnGuide circuit={circuit} />}
      send={send}
      onStarted={(id) => navigate({ to: '/signing/batches/$id', params: { id } })}
      ready={({ rows, credits }) => words.batch.ready(rows, number(credits), number(PRICE.envelope))}
    />
  );
}
