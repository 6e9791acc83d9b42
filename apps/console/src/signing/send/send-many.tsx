import { Button, Entry, Notice, Table } from '@constancia/web';
import { type FormEvent, useId, useState } from 'react';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { useUnsaved } from '../editor/use-unsaved.ts';
import { useSigningText } from '../text/language.ts';
import { textOf } from './lines-in.ts';
import { OptionFields, optionsIn } from './options.tsx';
import { Progress } from './progress.tsx';
import { columnsOf, MOST_ROWS, type ReadTable, type Recipients, tableIn } from './recipients.ts';
import { useSending } from './use-sending.ts';

/** An envelope for each row of a table: first everything is checked, then it is sent. */
export function SendMany({ circuit }: { circuit: CircuitRow }) {
  const { words, number } = useSigningText();
  const [table, setTable] = useState('');
  const [read, setRead] = useState<ReadTable | null>(null);
  const [options, setOptions] = useState<ReturnType<typeof optionsIn> | null>(null);
  const sending = useSending();
  useUnsaved(sending.running || sending.left > 0);

  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setOptions(optionsIn(new FormData(event.currentTarget)));
    setRead(tableIn(table, circuit));
  };
  const begun = sending.all.length > 0;
  const fine = read?.rows.filter(({ faults }) => faults.length === 0) ?? [];
  const wrong = (read?.rows.length ?? 0) - fine.length;
  const isReady = read !== null && fine.length > 0 && wrong === 0 && read.rows.length <= MOST_ROWS;
  const send = (): void =>
    void sending.begin(
      fine.map(({ signers, subject }) => {
        return { circuit_id: circuit.id, ...options, signers, ...(subject !== '' && { subject }) };
      }),
    );
  /** Back to the table, with the rows that were refused alone. */
  const correct = (): void => {
    const refused = fine.filter((_, at) => sending.all[at]?.status === 'failed');
    setTable(textOf([read?.titles ?? [], ...refused.map(({ cells }) => cells)]));
    setRead(null);
    sending.clear();
  };
  const another = (): void => {
    setTable('');
    setRead(null);
    sending.clear();
  };

  if (begun) return <Progress rows={fine} sending={sending} onCorrect={correct} onAnother={another} />;
  return (
    <>
      <form className="card" onSubmit={onSubmit} onChange={() => setRead(null)}>
        <TableEntry circuit={circuit} value={table} onText={setTable} />
        <OptionFields />
        <Button look={isReady ? 'secondary' : 'primary'} submit>
          {words.send.check}
        </Button>
      </form>
      {read !== null && (
        <>
          <Verdict of={read} fine={fine.length} wrong={wrong} />
          {read.rows.length > 0 && <CheckedRows rows={read.rows} />}
          {isReady && (
            <div className="actions">
              <Button look="primary" onPress={send}>
                {words.send.sendMany(number(fine.length))}
              </Button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function TableEntry({
  circuit,
  value,
  onText,
}: {
  circuit: CircuitRow;
  value: string;
  onText: (text: string) => void;
}) {
  const { words } = useSigningText();
  const id = useId();
  const columns = [...columnsOf(circuit).map(({ title }) => title), 'subject'].join(', ');
  return (
    <>
      <Entry id={id} label={words.send.table} help={words.send.tableHint(columns)}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={8}
            spellCheck={false}
            value={value}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Entry>
      <Entry id={`${id}-file`} label={words.send.file} required={false}>
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={(event) => void event.target.files?.[0]?.text().then(onText)}
          />
        )}
      </Entry>
    </>
  );
}

function Verdict({ of: { rows, missing }, fine, wrong }: { of: ReadTable; fine: number; wrong: number }) {
  const { words, number } = useSigningText();
  if (missing.length > 0) return <Notice tone="error">{words.send.missingColumns(missing.join(', '))}</Notice>;
  if (rows.length === 0) return <Notice tone="error">{words.send.noRows}</Notice>;
  if (rows.length > MOST_ROWS) return <Notice tone="error">{words.send.tooMany}</Notice>;
  return <Notice tone={wrong > 0 ? 'error' : 'good'}>{words.send.checked(number(fine), number(wrong))}</Notice>;
}

/** What has to be corrected comes first. */
function CheckedRows({ rows }: { rows: readonly Recipients[] }) {
  const { words, number } = useSigningText();
  const sorted = rows.toSorted((one, other) => Math.min(1, other.faults.length) - Math.min(1, one.faults.length));
  return (
    <Table
      caption={words.send.table}
      rows={sorted}
      keyOf={({ line }) => String(line)}
      columns={[
        { title: words.send.row, of: ({ line }) => number(line) },
        {
          title: words.send.table,
          wide: true,
          of: ({ signers }) => signers.map(({ name, email }) => [name, email].filter(Boolean).join(' · ')).join(' / '),
        },
        {
          title: words.send.result,
          of: ({ faults }) =>
            faults.length === 0 ? (
              words.send.fine
            ) : (
              <span className="fault">{faults.map((fault) => words.send.faults[fault]).join('; ')}</span>
            ),
        },
      ]}
    />
  );
}
