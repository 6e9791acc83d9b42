import { Button, Entry } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { csvText, TEXT_FILES } from '../../parts/csv/csv-file.ts';
import { FileField } from '../../parts/file-field.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { useSigningText } from '../text/language.ts';
import { canBeSent, Checked } from './checked.tsx';
import { OptionFields, optionsIn } from './options.tsx';
import { Progress } from './progress.tsx';
import { MOST_ROWS, type ReadTable, tableIn, textOf } from './recipients.ts';
import { columnsOf } from './row.ts';
import { ValueFields, valuesIn } from './value-fields.tsx';
import { useSending } from './use-sending.ts';

interface SendManyProps {
  circuit: CircuitRow;
  /** While envelopes are being sent, the circuit stays. */
  onRunning: (running: boolean) => void;
}

/** An envelope for each row of a table: first everything is checked, then it is sent. */
export function SendMany({ circuit, onRunning }: SendManyProps) {
  const { words } = useSigningText();
  const [table, setTable] = useState('');
  const [read, setRead] = useState<ReadTable | null>(null);
  const [options, setOptions] = useState<ReturnType<typeof optionsIn> | null>(null);
  const sending = useSending();
  const { running } = sending;
  const begun = sending.all.length > 0;
  const unfinished = running || sending.left > 0;
  const { dialog } = useLeaveGuard({
    unsaved: unfinished || (table !== '' && !begun),
    words: unfinished ? words.send.leave : undefined,
  });
  useEffect(() => {
    onRunning(running);
    return () => onRunning(false);
  }, [running, onRunning]);

  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setOptions({ ...optionsIn(form), ...valuesIn(form, circuit) });
    setRead(tableIn(table, circuit));
  };
  const onText = (text: string): void => {
    setTable(text);
    setRead(null);
  };
  const rows = read?.rows ?? [];
  const send = (): void =>
    void sending.begin(
      rows.map(({ signers, subject }) => {
        return { circuit_id: circuit.id, ...options, signers, ...(subject !== '' && { subject }) };
      }),
    );
  /** Back to the table, with the rows alone that were not sent. */
  const correct = (): void => {
    const unsent = rows.filter((_, at) => !['sent', 'before'].includes(sending.all[at]?.status ?? ''));
    onText(textOf([read?.titles ?? [], ...unsent.map(({ cells }) => cells)]));
    sending.clear();
  };
  const another = (): void => {
    onText('');
    sending.clear();
  };

  return (
    <>
      {begun && <Progress rows={rows} sending={sending} onCorrect={correct} onAnother={another} />}
      {/* It stays, so that what is the same for all envelopes is still there for those that are corrected. */}
      <div hidden={begun}>
        <form className="card" onSubmit={onSubmit} onChange={() => setRead(null)}>
          <p className="help">
            <Link to="/signing/batch" search={{ circuit: circuit.id }}>
              {words.batch.more}
            </Link>
          </p>
          <TableEntry circuit={circuit} value={table} onText={onText} />
          <ValueFields circuit={circuit} />
          <OptionFields />
          <Button look={read !== null && canBeSent(read) ? 'secondary' : 'primary'} submit>
            {words.send.check}
          </Button>
        </form>
      </div>
      {read !== null && !begun && <Checked of={read} onSend={send} />}
      {dialog}
    </>
  );
}

interface TableEntryProps {
  circuit: CircuitRow;
  value: string;
  onText: (text: string) => void;
}

function TableEntry({ circuit, value, onText }: TableEntryProps) {
  const { words, number } = useSigningText();
  const id = useId();
  const [refused, setRefused] = useState(false);
  const columns = [...columnsOf(circuit).map(({ title }) => title), 'subject'].join(', ');
  const open = async (file: File | null): Promise<void> => {
    if (file === null) return;
    const text = await csvText(file);
    setRefused(text === null);
    if (text !== null) onText(text);
  };
  return (
    <>
      <Entry id={id} label={words.send.table} help={words.send.tableHint(columns, number(MOST_ROWS))}>
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
      <FileField
        label={words.send.file}
        accept={TEXT_FILES}
        fault={refused ? words.send.unreadableFile : null}
        onFile={(file) => void open(file)}
        readAtOnce
      />
    </>
  );
}
