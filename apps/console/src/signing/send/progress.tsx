import { Button, Notice, State, Table } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { Failure } from '../../parts/failure.tsx';
import { useSigningText } from '../text/language.ts';
import type { Recipients } from './recipients.ts';
import type { Sending, useSending } from './use-sending.ts';

interface ProgressProps {
  rows: readonly Recipients[];
  sending: ReturnType<typeof useSending>;
  onCorrect: () => void;
  onAnother: () => void;
}

/** How far each of many envelopes is. What was not sent can be sent again; nothing is sent twice. */
export function Progress({ rows, sending, onCorrect, onAnother }: ProgressProps) {
  const { words, number } = useSigningText();
  const { all, running, stopped, left, run } = sending;
  const sent = all.filter(({ status }) => status === 'sent').length;
  const refused = all.some(({ status }) => status === 'failed');
  const done = !running && left === 0;
  return (
    <section className="card" aria-label={words.send.title}>
      {done ? (
        <Notice tone={refused ? 'warning' : 'good'}>
          {refused ? words.send.progress(number(sent), number(all.length)) : words.send.allSent}
        </Notice>
      ) : (
        <Notice tone="news">
          <p>{words.send.open}</p>
          <p role="status">{words.send.progress(number(sent), number(all.length))}</p>
        </Notice>
      )}
      {stopped !== null && <Failure error={stopped} />}
      <progress max={all.length} value={sent} aria-label={words.send.progress(number(sent), number(all.length))} />
      <div className="actions small">
        {!running && left > 0 && (
          <Button look="primary" onPress={() => void run()}>
            {words.send.again}
          </Button>
        )}
        {done && refused && <Button onPress={onCorrect}>{words.send.next}</Button>}
        {done && (
          <>
            <Button onPress={onAnother}>{words.send.another}</Button>
            <Link to="/signing/envelopes" className="button secondary">
              {words.send.toEnvelopes}
            </Link>
          </>
        )}
      </div>
      <Table
        caption={words.send.table}
        rows={all.map((one, at) => ({ ...one, row: rows[at] }))}
        keyOf={({ row, key }) => String(row?.line ?? key)}
        columns={[
          { title: words.send.row, of: ({ row }) => (row === undefined ? '–' : number(row.line)) },
          {
            title: words.send.table,
            wide: true,
            of: ({ body }) => body.signers.map(({ name, email }) => name ?? email).join(' / '),
          },
          { title: words.send.result, of: (one) => <Outcome of={one} /> },
        ]}
      />
    </section>
  );
}

function Outcome({ of: { status, id, error } }: { of: Sending }) {
  const { words, sentenceOf, faultsOf } = useSigningText();
  if (status === 'sent' && id !== undefined)
    return (
      <Link to="/signing/envelopes/$id" params={{ id }}>
        {words.send.states.sent}
      </Link>
    );
  if (status === 'failed') {
    const faults = Object.values(faultsOf(error));
    return <span className="fault">{faults.length > 0 ? faults.join(' ') : sentenceOf(error)}</span>;
  }
  const kind = status === 'unknown' ? 'bad' : 'wait';
  return (
    <State kind={kind}>
      {words.send.states[status === 'unknown' ? 'unknown' : status === 'sending' ? 'sending' : 'waiting']}
    </State>
  );
}
