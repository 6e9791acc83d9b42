import { Button, Facts, useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useAction } from '../../parts/use-action.ts';
import { BATCHES, SCREENINGS } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';
import { type BatchRow, BatchState, isOpen } from './batch-state.tsx';

const route = getRouteApi('/screenings/batches/$id');
/** A page that nobody uses lets its session end: 10 minutes. */
const WATCH = { everyMs: 3_000, times: 200, while: isOpen };

/** One batch: how far it is, its results so far, and the way to end it. It goes on whether or not the page is open. */
export function StartedBatch() {
  const { words } = useScreeningText();
  const { id } = route.useParams();
  const query = useRecord(
    [...BATCHES, id],
    ({ compliance }) => compliance.GET('/v1/screening-batches/{id}', { params: { path: { id } } }),
    WATCH,
  );
  return (
    <>
      <PageHead title={words.batch.one} of={id} lead={words.batch.oneLead}>
        {query.data !== undefined && <BatchActions of={query.data} />}
      </PageHead>
      <Loaded query={query}>{(batch) => <BatchFacts of={batch} />}</Loaded>
      <Link to="/screenings/batches">{words.batch.list}</Link>
    </>
  );
}

function BatchFacts({ of: batch }: { of: BatchRow }) {
  const { words, number, clock } = useScreeningText();
  const { rows, processed, skipped, credits_debited, validation_code, external_ref, created_at, finished_at } = batch;
  return (
    <section className="card">
      <progress value={processed} max={rows} aria-label={words.batch.done} />
      <Facts
        pairs={[
          [words.batch.status, <BatchState of={batch} />],
          [words.batch.done, `${number(processed)} / ${number(rows)}`],
          ...(skipped === 0 ? [] : [[words.batch.skipped, number(skipped)] as const]),
          [words.batch.credits, number(credits_debited)],
          [words.validation, validation_code],
          [words.batch.reference, external_ref],
          [words.batch.created, clock(created_at)],
          [words.batch.finished, finished_at && clock(finished_at)],
        ]}
      />
    </section>
  );
}

function BatchActions({ of: batch }: { of: BatchRow }) {
  const { words } = useScreeningText();
  const { id, processed } = batch;
  const may = useMay();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [asked, setAsked] = useState(false);
  const download = (): Promise<void> =>
    run('results', async () => {
      const params = { path: { id }, query: { format: 'csv' as const } };
      const results = await call(({ compliance }) =>
        compliance.GET('/v1/screening-batches/{id}/results', { params, parseAs: 'blob' }),
      );
      saveFile(`${id}.csv`, results);
    });
  const cancel = async (): Promise<void> => {
    const params = { path: { id } };
    await call(
      ({ compliance }) => compliance.POST('/v1/screening-batches/{id}/cancel', { params }),
      BATCHES,
      SCREENINGS,
    );
    announce(words.batch.canceledNow);
  };
  return (
    <>
      {processed > 0 && (
        <Button busy={busy !== null} onPress={() => void download()}>
          {words.batch.save}
        </Button>
      )}
      {isOpen(batch) && may('compliance:screen') && (
        <Button onPress={() => setAsked(true)}>{words.batch.cancel}</Button>
      )}
      {error !== null && <Failure error={error} />}
      {asked && (
        <FormDialog
          title={words.batch.cancel}
          lead={words.batch.cancelLead}
          submit={words.batch.cancel}
          dangerous
          onClose={() => setAsked(false)}
          onSubmit={cancel}
        />
      )}
    </>
  );
}
