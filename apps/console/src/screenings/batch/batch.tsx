import { PRICE } from '@constancia/contracts/prices';
import { Button, Field, Notice } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { isFinal } from '../../api/is-final.ts';
import { rawBody } from '../../api/raw-body.ts';
import { useAllRecords, useCall } from '../../member/queries.ts';
import { TEXT_FILES } from '../../parts/csv-file.ts';
import { Failure } from '../../parts/failure.tsx';
import { FileField } from '../../parts/file-field.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { textIn } from '../../parts/text-in.ts';
import { useAction } from '../../parts/use-action.ts';
import { BATCHES } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';
import { BATCH_COLUMNS, type BatchCheck, type TextFault, textOf } from './batch-file.ts';
import { RowFaults } from './row-faults.tsx';

/** Many subjects from a file: the service checks every row before the first is screened. */
export function Batch() {
  const { words } = useScreeningText();
  const validations = useAllRecords(['validations', 'list', 'published'], ({ compliance }, cursor) =>
    compliance.GET('/v1/validations', { params: { query: { cursor, limit: 100, status: 'published' } } }),
  );
  return (
    <>
      <PageHead title={words.batch.title} lead={words.batch.lead} />
      <Loaded query={validations}>
        {(published) =>
          published.length === 0 ? (
            <p className="empty">{words.batch.noRules}</p>
          ) : (
            <BatchForm codes={published.map(({ code, name }) => [code, name] as const)} />
          )
        }
      </Loaded>
    </>
  );
}

/** A file that was found to be right. The key makes a repeated start the same batch. */
interface CheckedFile {
  text: string;
  code: string;
  check: BatchCheck;
  key: string;
}

function BatchForm({ codes }: { codes: readonly (readonly [code: string, name: string])[] }) {
  const { words, number } = useScreeningText();
  const call = useCall();
  const navigate = useNavigate();
  const { busy, error, run } = useAction();
  const [fault, setFault] = useState<TextFault | null>(null);
  const [found, setFound] = useState<BatchCheck['errors']>([]);
  const [checked, setChecked] = useState<CheckedFile | null>(null);

  const send = (text: string, code: string, dry_run: boolean, header = {}) =>
    call(
      ({ compliance }) =>
        compliance.POST('/v1/screening-batches', {
          params: { query: { validation_code: code, dry_run }, header },
          ...rawBody(text, 'text/csv'),
        }),
      ...(dry_run ? [] : [BATCHES]),
    );
  const check = (form: FormData): Promise<void> =>
    run('check', async () => {
      setChecked(null);
      const read = await textOf(form.get('file'), String(form.get('lines') ?? ''));
      setFault('fault' in read ? read.fault : null);
      setFound([]);
      if ('fault' in read) return;
      const code = textIn(form, 'validation_code');
      const answer = (await send(read.text, code, true)) as BatchCheck;
      setFound(answer.errors);
      if (answer.errors.length > 0) return;
      setChecked({ text: read.text, code, check: answer, key: crypto.randomUUID() });
    });
  const start = ({ text, code, key, ...rest }: CheckedFile): Promise<void> =>
    run('start', async () => {
      try {
        const batch = await send(text, code, false, { 'Idempotency-Key': key });
        if ('id' in batch) await navigate({ to: '/screenings/batches/$id', params: { id: batch.id } });
      } catch (failure) {
        if (isFinal(failure)) setChecked({ text, code, ...rest, key: crypto.randomUUID() });
        throw failure;
      }
    });
  return (
    <form
      className="card"
      onChange={() => setChecked(null)}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void check(new FormData(event.currentTarget));
      }}
    >
      <Field name="validation_code" label={words.validation} options={codes} />
      <FileField name="file" label={words.batch.file} hint={words.batch.fileHint} accept={TEXT_FILES} />
      <Field name="lines" label={words.batch.lines} hint={words.batch.linesHint} lines={6} />
      <p className="help">
        {words.batch.columns} <code className="columns">{BATCH_COLUMNS.join(', ')}</code>
      </p>
      {fault !== null && <Notice tone="error">{words.batch.textFaults[fault]}</Notice>}
      {error !== null && <Failure error={error} problems={words.problems} />}
      {found.length > 0 && <RowFaults faults={found} />}
      {checked !== null && (
        <Notice tone="good">
          <p role="status">
            {words.batch.ready(checked.check.rows, number(checked.check.credits), number(PRICE.screening))}
          </p>
        </Notice>
      )}
      <div className="actions">
        <Button look={checked === null ? 'primary' : 'secondary'} busy={busy === 'check'} submit>
          {words.batch.check}
        </Button>
        {checked !== null && (
          <Button look="primary" busy={busy === 'start'} onPress={() => void start(checked)}>
            {words.batch.start}
          </Button>
        )}
      </div>
    </form>
  );
}
