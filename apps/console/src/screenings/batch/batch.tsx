import { Button, Field, Notice, Table } from '@constancia/web';
import { type FormEvent, useState } from 'react';
import { useAllRecords } from '../../member/queries.ts';
import { csvText } from '../../parts/csv-file.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { textIn } from '../../parts/text-in.ts';
import { useScreeningText } from '../text/language.ts';
import { BATCH_COLUMNS, batchRows, type LineFault, MOST_ROWS } from './batch-rows.ts';
import { BatchRun } from './batch-run.tsx';
import { type BatchLine, linesOf } from './use-batch.ts';

/** So that a file that is wrong in every line can still be shown. */
const MOST_FAULTS_SHOWN = 100;

/** Many subjects from a file: checked as a whole before the first is screened. */
export function Batch() {
  const { words, number } = useScreeningText();
  const [lines, setLines] = useState<readonly BatchLine[] | null>(null);
  const validations = useAllRecords(['validations', 'list', 'published'], ({ compliance }, cursor) =>
    compliance.GET('/v1/validations', { params: { query: { cursor, limit: 100, status: 'published' } } }),
  );
  return (
    <>
      <PageHead title={words.batch.title} lead={words.batch.lead(number(MOST_ROWS))} />
      {lines !== null ? (
        <BatchRun lines={lines} onAnother={() => setLines(null)} />
      ) : (
        <Loaded query={validations}>
          {(published) =>
            published.length === 0 ? (
              <p className="empty">{words.batch.noRules}</p>
            ) : (
              <BatchForm codes={published.map(({ code, name }) => [code, name] as const)} onLines={setLines} />
            )
          }
        </Loaded>
      )}
    </>
  );
}

interface BatchFormProps {
  codes: readonly (readonly [code: string, name: string])[];
  onLines: (lines: readonly BatchLine[]) => void;
}

function BatchForm({ codes, onLines }: BatchFormProps) {
  const { words, number } = useScreeningText();
  const [faults, setFaults] = useState<readonly LineFault[]>([]);

  const check = async (form: FormData): Promise<void> => {
    const file = form.get('file');
    const isFile = file instanceof File && file.size > 0;
    const text = isFile ? await csvText(file) : String(form.get('lines') ?? '');
    const read = batchRows(text, textIn(form, 'validation_code'));
    setFaults(read.faults);
    if (read.faults.length === 0) onLines(linesOf(read.rows));
  };
  return (
    <form
      className="card"
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void check(new FormData(event.currentTarget));
      }}
    >
      <Field name="validation_code" label={words.validation} options={codes} />
      <Field name="file" type="file" label={words.batch.file} hint={words.batch.fileHint} />
      <Field name="lines" label={words.batch.lines} hint={words.batch.linesHint} lines={6} />
      <p className="help">
        {words.batch.columns} <code className="columns">{BATCH_COLUMNS.join(', ')}</code>
      </p>
      {faults.length > 0 && (
        <>
          <Notice tone="error">
            {words.batch.faults(faults.length, number(faults.length))}{' '}
            {faults.length > MOST_FAULTS_SHOWN && words.batch.faultsShown(number(MOST_FAULTS_SHOWN))}
          </Notice>
          <Table
            caption={words.batch.faultsTitle}
            rows={faults.slice(0, MOST_FAULTS_SHOWN)}
            columns={[
              { title: words.batch.line, of: ({ line }) => line },
              { title: words.batch.fault, of: ({ fault, what }) => words.batch.faultOf[fault](what), wide: true },
            ]}
          />
        </>
      )}
      <div className="actions">
        <Button look="primary" submit>
          {words.batch.check}
        </Button>
      </div>
    </form>
  );
}
