import { PRICE } from '@constancia/contracts/prices';
import { BATCH_COLUMNS } from '@constancia/contracts/screening-batches';
import { Field } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { rawBody } from '../../api/raw-body.ts';
import { BatchForm, type BatchRequest } from '../../batches/batch-form.tsx';
import { useAllRecords, useCall } from '../../member/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { textIn } from '../../parts/text-in.ts';
import { BATCHES } from '../query-keys.ts';
import { useScreeningText } from '../text/language.ts';

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
            <ScreeningBatchForm codes={published.map(({ code, name }) => [code, name] as const)} />
          )
        }
      </Loaded>
    </>
  );
}

function ScreeningBatchForm({ codes }: { codes: readonly (readonly [code: string, name: string])[] }) {
  const { words, number } = useScreeningText();
  const call = useCall();
  const navigate = useNavigate();
  const send = ({ text, form, dry_run, header }: BatchRequest) =>
    call(
      ({ compliance }) =>
        compliance.POST('/v1/screening-batches', {
          params: { query: { validation_code: textIn(form, 'validation_code'), dry_run }, header },
          ...rawBody(text, 'text/csv'),
        }),
      ...(dry_run ? [] : [BATCHES]),
    );
  return (
    <BatchForm
      words={words.batch}
      columns={
        <p className="help">
          {words.batch.columns} <code className="columns">{BATCH_COLUMNS.join(', ')}</code>
        </p>
      }
      send={send}
      onStarted={(id) => navigate({ to: '/screenings/batches/$id', params: { id } })}
      ready={({ rows, credits }) => words.batch.ready(rows, number(credits), number(PRICE.screening))}
      problems={words.problems}
    >
      <Field name="validation_code" label={words.validation} options={codes} />
    </BatchForm>
  );
}
