import { Button, Notice, State, useAnnounce } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Failure } from '../../parts/failure.tsx';
import { knownRecords } from '../../parts/known-records.ts';
import { RecordTable } from '../../parts/record-table.tsx';
import { useSigningText } from '../text/language.ts';
import type { Recipients } from './recipients.ts';
import type { Sending, useSending } from './use-sending.ts';

interface ProgressProps {
  rows: readonly Recipients[];
  sending: ReturnType<typeof useSending>;
  onCorrect: () => void;
  onAnother: () => void;
}

/** How far each of many envelopes is. What was not sent can be sent again; nothing is sent twice unless somebody wants it. */
export function Progress({ rows, sending, onCorrect, onAnother }: ProgressProps) {
  const { words, number } = useSigningText();
  const announce = useAnnounce();
  const { all, running, stopped, left, run, pause, repeat } = sending;
  const count = (status: Sending['status']): number => all.filter((one) => one.status === status).length;
  const [before, failed] = [count('before'), count('failed')];
  const sent = count('sent') + before;
  const done = !running && left === 0;
  const progress = words.send.progress(number(sent), number(all.length));
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && !running) announce(progress);
    ran.current = running;
  }, [running, progress, announce]);
  return (
    <section className="card" aria-label={words.send.title}>
      {done ? (
        <Notice tone={failed > 0 ? 'warning' : 'good'}>{failed > 0 ? progress : words.send.allSent}</Notice>
      ) : (
        <Notice tone="news">
          <p>{words.send.open}</p>
          <p>{progress}</p>
        </Notice>
      )}
      {!running && before > 0 && (
        <Notice tone="warning">
          <p>{words.send.sentBefore(number(before))}</p>
          <Button onPress={() => void repeat()}>{words.send.repeat}</Button>
        </Notice>
      )}
      {stopped !== null && <Failure error={stopped} />}
      <progress max={all.length} value={sent} aria-label={progress} />
      <div className="actions small">
        {running && <Button onPress={pause}>{words.send.pause}</Button>}
        {!running && left > 0 && (
          <Button look="primary" onPress={() => void run()}>
            {words.send.again}
          </Button>
        )}
        {!running && left + failed > 0 && <Button onPress={onCorrect}>{words.send.next}</Button>}
        {done && (
          <>
            <Button onPress={onAnother}>{words.send.another}</Button>
            <Link to="/signing/envelopes" className="button secondary">
              {words.send.toEnvelopes}
            </Link>
          </>
        )}
      </div>
      <RecordTable
        caption={words.send.table}
        query={knownRecords(all.map((one, at) => ({ ...one, at })))}
        keyOf={({ at }) => String(at)}
        empty={words.send.noRows}
        columns={[
          { title: words.send.row, width: '5rem', of: ({ at }) => number(rows[at]?.line ?? at + 1) },
          {
            title: words.send.table,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: ({ body }) => body.signers.map(({ name, email }) => name ?? email).join(' / '),
          },
          { title: words.send.result, wide: true, width: 'minmax(0, 2fr)', of: (one) => <Outcome of={one} /> },
        ]}
      />
    </section>
  );
}

function Outcome({ of: { body, status, id, error } }: { of: Sending }) {
  const { words, sentenceOf, faultsOf } = useSigningText();
  if (status === 'sent' || status === 'before') {
    const state = id === null ? words.send.otherCode : words.send.states[status];
    if (id === null || id === undefined) return <span>{state}</span>;
    return (
      <Link to="/signing/envelopes/$id" params={{ id }}>
        {state}
      </Link>
    );
  }
  if (status === 'failed') {
    const sentences = faultsOf(error);
    const faults = (error instanceof ApiError ? error.faults : []).map(({ pointer }) => {
      return `${labelOf(pointer, body, words.send)}: ${sentences[pointer.slice(1)] ?? ''}`;
    });
    return <span className="fault">{faults.length > 0 ? faults.join(' ') : sentenceOf(error)}</span>;
  }
  return <State kind={status === 'unknown' ? 'bad' : 'wait'}>{words.send.states[status]}</State>;
}

type SendWords = ReturnType<typeof useSigningText>['words']['send'];

/** Of `/signers/1/email`: whose address. */
function labelOf(pointer: string, { signers }: Sending['body'], words: SendWords): string {
  const [, list, at, member] = pointer.split('/');
  const names: Readonly<Record<string, string>> = {
    email: words.email,
    phone: words.phone,
    name: words.personName,
    access_code: words.accessCode,
    subject: words.subject,
    message: words.message,
    expires_in_days: words.days,
  };
  if (list !== 'signers') return names[list ?? ''] ?? pointer;
  const role = signers[Number(at)]?.role ?? '';
  return [role, names[member ?? ''] ?? member].filter(Boolean).join(', ') || words.table;
}
