import { PRICE } from '@constancia/contracts/prices';
import { Button, Dialog, Notice } from '@constancia/web';
import { Link, useBlocker } from '@tanstack/react-router';
import { DecisionState } from '../../matches/decision-state.tsx';
import { csvOf } from '../../parts/csv.ts';
import { Failure } from '../../parts/failure.tsx';
import { knownRecords } from '../../parts/known-records.ts';
import { RecordTable } from '../../parts/record-table.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useScreeningText } from '../text/language.ts';
import { type BatchLine, useBatch } from './use-batch.ts';

interface BatchRunProps {
  lines: readonly BatchLine[];
  onAnother: () => void;
}

/** What it will cost, then how far it is, and each result. Leaving the page while it runs asks first. */
export function BatchRun({ lines: initial, onAnother }: BatchRunProps) {
  const { words, number, sentenceOf } = useScreeningText();
  const { lines, done, running, error, start, pause } = useBatch(initial);
  const blocker = useBlocker({ shouldBlockFn: () => running, enableBeforeUnload: () => running, withResolver: true });
  const save = (): void => {
    const rows = lines.map(({ body, screening, refusal }) => {
      const { id = '', decision = '', case_id = '' } = screening ?? {};
      return [body.subject_ref, decision, id, case_id ?? '', refusal === undefined ? '' : sentenceOf(refusal)];
    });
    saveFile('batch.csv', csvOf(['subject_ref', 'decision', 'screening_id', 'case_id', 'problem'], rows));
  };
  return (
    <>
      <Notice tone={done === lines.length ? 'good' : 'news'}>
        <p role="status">
          {done === 0 && !running
            ? words.batch.ready(number(lines.length), number(lines.length * PRICE.screening))
            : words.batch.progress(number(done), number(lines.length))}
        </p>
        <progress value={done} max={lines.length} aria-label={words.batch.title} />
      </Notice>
      {error !== null && <Failure error={error} problems={words.problems} />}
      <div className="actions">
        {done < lines.length && (
          <Button look={running ? 'secondary' : 'primary'} onPress={running ? pause : () => void start()}>
            {running ? words.batch.pause : done === 0 ? words.batch.start : words.batch.goOn}
          </Button>
        )}
        {done > 0 && <Button onPress={save}>{words.batch.save}</Button>}
        {!running && <Button onPress={onAnother}>{words.batch.another}</Button>}
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
      {blocker.status === 'blocked' && (
        <Dialog title={words.batch.leaveTitle} onClose={blocker.reset}>
          <p>{words.batch.leave}</p>
          <div className="actions">
            <Button look="primary" onPress={blocker.reset}>
              {words.batch.stay}
            </Button>
            <Button onPress={blocker.proceed}>{words.batch.leaveNow}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function Result({ of: { screening, refusal } }: { of: BatchLine }) {
  const { words, sentenceOf } = useScreeningText();
  if (refusal !== undefined) return <span>{sentenceOf(refusal)}</span>;
  if (screening === undefined) return <span>{words.batch.waiting}</span>;
  const { id, decision, case_id, list_hits } = screening;
  return (
    <span>
      <DecisionState of={decision} /> {list_hits.map((code) => words.lists[code]).join(', ')}{' '}
      <Link to="/screenings/$id" params={{ id }}>
        {words.open}
      </Link>{' '}
      {case_id !== null && (
        <Link to="/cases/$id" params={{ id: case_id }}>
          {words.openCase}
        </Link>
      )}
    </span>
  );
}
