import { PRICE } from '@constancia/contracts/prices';
import { Button, Notice, Tick } from '@constancia/web';
import { useId, useState } from 'react';
import { knownRecords } from '../../parts/known-records.ts';
import { RecordTable } from '../../parts/record-table.tsx';
import { useSigningText } from '../text/language.ts';
import { MOST_ROWS, type ReadTable, type Recipients } from './recipients.ts';

const isWrong = ({ faults }: Recipients): boolean => faults.length > 0;

export const canBeSent = ({ rows }: ReadTable): boolean =>
  rows.length > 0 && rows.length <= MOST_ROWS && !rows.some(isWrong);

interface CheckedProps {
  of: ReadTable;
  onSend: () => void;
}

/** What was found in a table, and what it costs to send it. Warnings are confirmed first. */
export function Checked({ of: read, onSend }: CheckedProps) {
  const { words, number } = useSigningText();
  const id = useId();
  const [confirmed, setConfirmed] = useState(false);
  const { rows } = read;
  const fine = canBeSent(read);
  const warned = rows.some(({ warnings }) => warnings.length > 0);
  return (
    <>
      <Verdict of={read} />
      {rows.length > 0 && <CheckedRows rows={rows} />}
      {fine && warned && (
        <Tick id={id} label={words.send.confirmed} required={false} ticked={confirmed} onTick={setConfirmed} />
      )}
      {fine && (confirmed || !warned) && (
        <div className="actions">
          <Button look="primary" onPress={onSend}>
            {words.send.sendMany(number(rows.length), number(rows.length * PRICE.envelope))}
          </Button>
        </div>
      )}
    </>
  );
}

/** Whether a table can be sent, or what stands in its way. */
function Verdict({ of: { rows, faults } }: { of: ReadTable }) {
  const { words, number } = useSigningText();
  if (faults.length > 0)
    return (
      <Notice tone="error">
        {faults.map(({ fault, what }) => (
          <p key={fault}>{words.send.tableFaults[fault](what)}</p>
        ))}
      </Notice>
    );
  if (rows.length === 0) return <Notice tone="error">{words.send.noRows}</Notice>;
  if (rows.length > MOST_ROWS) return <Notice tone="error">{words.send.tooMany(number(MOST_ROWS))}</Notice>;
  const wrong = rows.filter(isWrong).length;
  const fine = rows.length - wrong;
  return <Notice tone={wrong > 0 ? 'error' : 'good'}>{words.send.checked(number(fine), number(wrong))}</Notice>;
}

/** What has to be corrected comes first, then what may be a mistake. */
function CheckedRows({ rows }: { rows: readonly Recipients[] }) {
  const { words, number } = useSigningText();
  const weightOf = ({ faults, warnings }: Recipients): number => (faults.length > 0 ? 2 : warnings.length > 0 ? 1 : 0);
  return (
    <RecordTable
      caption={words.send.table}
      query={knownRecords(rows.toSorted((one, other) => weightOf(other) - weightOf(one)))}
      keyOf={({ line }) => String(line)}
      empty={words.send.noRows}
      columns={[
        { title: words.send.row, width: '5rem', of: ({ line }) => number(line) },
        {
          title: words.send.table,
          wide: true,
          width: 'minmax(0, 2fr)',
          of: ({ signers }) =>
            signers.map(({ name, email, phone }) => [name, email, phone].filter(Boolean).join(' · ')).join(' / '),
        },
        { title: words.send.result, wide: true, width: 'minmax(0, 2fr)', of: (row) => <Findings of={row} /> },
      ]}
    />
  );
}

function Findings({ of: { faults, warnings } }: { of: Recipients }) {
  const { words } = useSigningText();
  if (faults.length > 0)
    return <span className="fault">{faults.map((fault) => words.send.faults[fault]).join('; ')}</span>;
  return <span>{warnings.map((warning) => words.send.warnings[warning]).join('; ') || words.send.fine}</span>;
}
