import { Button, Field, Notice, useRefusalShown } from '@constancia/web';
import type { FormEvent, ReactNode } from 'react';
import { isFinal } from '../api/is-final.ts';
import { TEXT_FILES } from '../parts/csv/csv-file.ts';
import { Failure } from '../parts/failure.tsx';
import { FileField } from '../parts/file-field.tsx';
import { useAction } from '../parts/use-action.ts';
import { useFormResult } from '../parts/use-form-result.ts';
import { type BatchCheck, type TextFault, textOf } from './batch-file.ts';
import type { BatchWords } from './batch-words.ts';
import { FirstRows } from './first-rows.tsx';
import { RowFaults } from './row-faults.tsx';

/** What a file is sent as. */
export interface BatchRequest {
  text: string;
  form: FormData;
  dry_run: boolean;
  header: { 'Idempotency-Key'?: string };
}

interface BatchFormProps {
  words: BatchWords;
  /** Which columns the file may have. */
  columns: ReactNode;
  /** What is asked for beside the file. */
  children?: ReactNode;
  send: (request: BatchRequest) => Promise<BatchCheck | { id: string }>;
  onStarted: (id: string) => Promise<void>;
  /** That a file is right, and what it costs. */
  ready: (check: BatchCheck) => string;
  problems?: Readonly<Record<string, string>>;
}

/** A file that was found to be right. The key makes a repeated start the same batch. */
interface CheckedFile {
  text: string;
  form: FormData;
  check: BatchCheck;
  key: string;
}

/** What a check found: a file that cannot be read, rows that are wrong, or nothing. */
interface Finding {
  fault?: TextFault;
  errors?: BatchCheck['errors'];
  checked?: CheckedFile;
}

/** A file with many rows: the service checks all of them before it begins with the first. */
export function BatchForm({ words, columns, children, send, onStarted, ready, problems }: BatchFormProps) {
  const { busy, error, run } = useAction();
  const { result, clear, begin, replace } = useFormResult<Finding>();
  const { fault = null, errors: found = [], checked = null } = result ?? {};
  const form = useRefusalShown<HTMLFormElement>(error ?? (checked === null ? result : null));

  const check = (form: FormData): Promise<void> =>
    run('check', async () => {
      const show = begin();
      const read = await textOf(form.get('file'), String(form.get('lines') ?? ''));
      if ('fault' in read) return show({ fault: read.fault });
      const answer = (await send({ text: read.text, form, dry_run: true, header: {} })) as BatchCheck;
      if (answer.errors.length > 0) return show({ errors: answer.errors });
      show({ checked: { text: read.text, form, check: answer, key: crypto.randomUUID() } });
    });
  const start = (file: CheckedFile): Promise<void> =>
    run('start', async () => {
      const { text, form, key } = file;
      try {
        const batch = await send({ text, form, dry_run: false, header: { 'Idempotency-Key': key } });
        if ('id' in batch) await onStarted(batch.id);
      } catch (failure) {
        if (isFinal(failure)) replace({ checked: { ...file, key: crypto.randomUUID() } });
        throw failure;
      }
    });
  return (
    <form
      ref={form}
      className="card"
      onChange={clear}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void check(new FormData(event.currentTarget));
      }}
    >
      {children}
      <FileField name="file" label={words.file} hint={words.fileHint} accept={TEXT_FILES} />
      <Field name="lines" label={words.lines} hint={words.linesHint} lines={6} />
      {columns}
      {fault !== null && <Notice tone="error">{words.textFaults[fault]}</Notice>}
      {error !== null && <Failure error={error} problems={problems} />}
      {found.length > 0 && <RowFaults faults={found} words={words} />}
      {checked !== null && (
        <>
          <Notice tone="good">
            <p role="status">{ready(checked.check)}</p>
          </Notice>
          {checked.check.warnings !== undefined && <RowFaults faults={checked.check.warnings} words={words} warnings />}
          <FirstRows text={checked.text} caption={words.firstRows} />
        </>
      )}
      <div className="actions">
        <Button look={checked === null ? 'primary' : 'secondary'} busy={busy === 'check'} submit>
          {words.check}
        </Button>
        {checked !== null && (
          <Button look="primary" busy={busy === 'start'} onPress={() => void start(checked)}>
            {words.start}
          </Button>
        )}
      </div>
    </form>
  );
}
