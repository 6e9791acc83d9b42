import { PRICE } from '@constancia/contracts/prices';
import { Button, Notice } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { DecisionState } from '../../matches/decision-state.tsx';
import { csvOf } from '../../parts/csv.ts';
import { Failure } from '../../parts/failure.tsx';
import { knownRecords } from '../../parts/known-records.ts';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useScreeningText } from '../text/language.ts';
import { type BatchLine, useBatch } from './use-batch.ts';

interface BatchRunProps {
  lines: readonly BatchLine[];
  onAnother: () => void;
}

/** What it will cost, then how far it is, and each result. Leaving it unfinished asks first: the keys of its lines are only here. */
export function BatchRun({ lines: initial, onAnother }: BatchRunProps) {
  const { words, sentenceOf } = useScreeningText();
  const { lines, done, refused, phase, error, start, pause } = useBatch(initial);
  const running = phase === 'running' || phase === 'pausing';
  // Also while no line is done: the answer about the first one may be lost.
  const unsaved = running || (phase === 'stopped' && done < lines.length);
  const { dialog, leaveFor } = useLeaveGuard({ unsaved, words: words.batch.leave });
  const save = (): void => {
    const rows = lines.map(({ body, screening, refusal }) => {
      const { id = '', decision = '', case_id = '' } = screening ?? {};
      return [body.subject_ref, decision, id, case_id ?? '', refusal === undefined ? '' : sentenceOf(refusal)];
    });
    saveFile('batch.csv', csvOf(['subject_ref', 'decision', 'screening_id', 'case_id', 'problem'], rows));
  };
  return (
    <>
      <BatchProgress all={lines.length} started={phase !== 'ready'} {...{ done, refused }} />
      {error !== null && <Failure error={error} problems={words.problems} />}
      <div className="actions">
        {done < lines.length && (
          <Button
            look={running ? 'secondary' : 'primary'}
            busy={phase === 'pausing'}
            onPress={running ? pause : () => void start()}
          >
            {words.batch.next[phase]}
          </Button>
        )}
        {done > 0 && <Button onPress={save}>{words.batch.save}</Button>}
        {!running && <Button onPress={() => leaveFor(onAnother)}>{words.batch.another}</Button>}
      </div>
      <RecordTable
        caption={words.batch.title}
        query={knownRecords(lines)}
        keyOf={({ key }) => key}
        empty={words.empty}
        columns={[
          { title: words.batch.line, of: ({ line }) => line, width: '5rem' },
          { title: words.reference, of: ({ body }) => body.subject_ref, wide: true },
          { title: words.name, of: ({ body }) => body.payload.full_name ?? words.unnamed, wide: true },
          { title: words.batch.result, of: (line) => <Result of={line} />, width: 'minmax(0, 2fr)' },
        ]}
      />
      {dialog}
    </>
  );
}

interface BatchProgressProps {
  all: number;
  done: number;
  /** Of those that are done. */
  refused: number;
  started: boolean;
}

/** What the batch will cost; once it was started, how far it is. */
function BatchProgress({ all, done, refused, started }: BatchProgressProps) {
  const { words, number } = useScreeningText();
  return (
    <Notice tone={done < all ? 'news' : refused > 0 ? 'warning' : 'good'}>
      <p role="status">
        {started
          ? words.batch.progress(number(done - refused), number(all), refused)
          : words.batch.ready(all, number(all * PRICE.screening), number(PRICE.screening))}
      </p>
      <progress value={done} max={all} aria-label={words.batch.title} />
    </Notice>
  );
}

/** Its links open beside the batch, which would end with the page. */
function Result({ of: { screening, refusal } }: { of: BatchLine }) {
  const { words, sentenceOf } = useScreeningText();
  if (refusal !== undefined) return <span className="fault">{sentenceOf(refusal)}</span>;
  if (screening === undefined) return <span>{words.batch.waiting}</span>;
  const { id, decision, case_id, list_hits } = screening;
  return (
    <span>
      <DecisionState of={decision} /> {list_hits.map((code) => words.lists[code]).join(', ')}{' '}
      <Link to="/screenings/$id" params={{ id }} target="_blank">
        {words.batch.show}
      </Link>{' '}
      {case_id !== null && (
        <Link to="/cases/$id" params={{ id: case_id }} target="_blank">
          {words.batch.showCase}
        </Link>
      )}
    </span>
  );
}
