import { PRICE } from '@constancia/contracts/prices';
import { Button, Dialog, Notice } from '@constancia/web';
import { Link, useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { DecisionState } from '../../matches/decision-state.tsx';
import { csvOf } from '../../parts/csv.ts';
import { Failure } from '../../parts/failure.tsx';
import { knownRecords } from '../../parts/known-records.ts';
import { RecordTable } from '../../parts/record-table.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { useScreeningText } from '../text/language.ts';
import type { BatchLine } from './screen-lines.ts';
import { useBatch } from './use-batch.ts';

interface BatchRunProps {
  lines: readonly BatchLine[];
  onAnother: () => void;
}

/** What it will cost, then how far it is, and each result. Leaving it unfinished asks first: the keys of its lines are only here. */
export function BatchRun({ lines: initial, onAnother }: BatchRunProps) {
  const { words, number, sentenceOf } = useScreeningText();
  const { lines, done, refused, phase, error, start, pause } = useBatch(initial);
  const running = phase !== 'stopped';
  const finished = done === lines.length;
  const unfinished = running || (done > 0 && !finished);
  const blocker = useBlocker({
    shouldBlockFn: () => unfinished,
    enableBeforeUnload: () => unfinished,
    withResolver: true,
  });
  const [leaving, setLeaving] = useState(false);
  const leave =
    blocker.status === 'blocked'
      ? { stay: blocker.reset, go: blocker.proceed }
      : leaving
        ? { stay: () => setLeaving(false), go: onAnother }
        : null;
  const save = (): void => {
    const rows = lines.map(({ body, screening, refusal }) => {
      const { id = '', decision = '', case_id = '' } = screening ?? {};
      return [body.subject_ref, decision, id, case_id ?? '', refusal === undefined ? '' : sentenceOf(refusal)];
    });
    saveFile('batch.csv', csvOf(['subject_ref', 'decision', 'screening_id', 'case_id', 'problem'], rows));
  };
  return (
    <>
      <Notice tone={!finished ? 'news' : refused > 0 ? 'warning' : 'good'}>
        <p role="status">
          {done === 0 && !running
            ? words.batch.ready(lines.length, number(lines.length * PRICE.screening), number(PRICE.screening))
            : words.batch.progress(number(done - refused), number(lines.length), refused)}
        </p>
        <progress value={done} max={lines.length} aria-label={words.batch.title} />
      </Notice>
      {error !== null && <Failure error={error} problems={words.problems} />}
      <div className="actions">
        {!finished && (
          <Button
            look={running ? 'secondary' : 'primary'}
            busy={phase === 'pausing'}
            onPress={running ? pause : () => void start()}
          >
            {phase === 'stopped' && (done === 0 ? words.batch.start : words.batch.goOn)}
            {phase === 'running' && words.batch.pause}
            {phase === 'pausing' && words.batch.pausing}
          </Button>
        )}
        {done > 0 && <Button onPress={save}>{words.batch.save}</Button>}
        {!running && <Button onPress={unfinished ? () => setLeaving(true) : onAnother}>{words.batch.another}</Button>}
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
      {leave !== null && (
        <Dialog title={words.batch.leaveTitle} onClose={leave.stay}>
          <p>{words.batch.leave}</p>
          <div className="actions">
            <Button look="primary" onPress={leave.stay}>
              {words.batch.stay}
            </Button>
            <Button onPress={leave.go}>{words.batch.leaveNow}</Button>
          </div>
        </Dialog>
      )}
    </>
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
