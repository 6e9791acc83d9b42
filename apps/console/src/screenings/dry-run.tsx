import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Field, FieldFaults, useAnnounce, useRefusalShown } from '@constancia/web';
import type { FormEvent } from 'react';
import { useAllRecords, useCall } from '../member/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { textIn } from '../parts/text-in.ts';
import { useAction } from '../parts/use-action.ts';
import { useFormResult } from '../parts/use-form-result.ts';
import { type DryRunResult, DryRunOutcome } from './dry-run-outcome.tsx';
import { MoreDataUnreadable, payloadOf, SubjectFields } from './subject-fields.tsx';
import { useScreeningText } from './text/language.ts';

type Schemas = components['schemas'];
type Validation = Schemas['ValidationView'];

/** A dry run: nothing is kept or charged. The same subject can then be screened. */
export function DryRun() {
  const { words } = useScreeningText();
  const validations = useAllRecords(['validations', 'list'], ({ compliance }, cursor) =>
    compliance.GET('/v1/validations', { params: { query: { cursor, limit: 100 } } }),
  );
  return (
    <>
      <PageHead title={words.dryRun.title} lead={words.dryRun.lead} />
      <Loaded query={validations}>
        {(all) => {
          const usable = all.filter(({ status }) => status !== 'deprecated');
          return usable.length === 0 ? <p className="empty">{words.dryRun.noRules}</p> : <DryRunForm {...{ usable }} />;
        }}
      </Loaded>
    </>
  );
}

function DryRunForm({ usable }: { usable: readonly Validation[] }) {
  const { words, faultsOf } = useScreeningText();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const form = useRefusalShown<HTMLFormElement>(error);
  const { result, clear, begin } = useFormResult<DryRunResult>();

  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const show = begin();
    void run('dry-run', async () => {
      const validation = usable.find(({ id }) => id === values.get('validation_id'));
      const body = {
        validation_code: validation?.code ?? 'default',
        subject_ref: textIn(values, 'subject_ref'),
        subject_type: values.get('subject_type') as Schemas['SubjectType'],
        payload: payloadOf(values),
      };
      const dryRun = { ...body, validation_id: validation?.id };
      const found = await call(({ compliance }) => compliance.POST('/v1/screenings/dry-run', { body: dryRun }));
      show({ body, found });
      announce(`${words.dryRun.result}: ${words.severity[found.decision]}`);
    });
  };
  const unreadable = error instanceof MoreDataUnreadable;
  return (
    <>
      <form ref={form} className="card" onSubmit={send} onChange={clear}>
        <FieldFaults value={unreadable ? { more: words.moreDataUnreadable } : faultsOf(error)}>
          <div className="form-columns">
            <Field
              name="validation_id"
              label={words.validation}
              options={usable.map(({ id, name, code, version, status }) => {
                return [id, words.validationOf(name, words.version(code, version), status === 'draft')] as const;
              })}
            />
            <Field name="subject_type" label={words.subjectType} options={Object.entries(words.subjectTypes)} />
            <Field name="subject_ref" label={words.reference} hint={words.referenceHint} maxLength={200} required />
            <SubjectFields />
          </div>
          <details>
            <summary>{words.moreData}</summary>
            <Field name="more" label={words.moreDataLabel} hint={words.moreDataHint} lines={6} />
          </details>
        </FieldFaults>
        {error !== null && !unreadable && <Failure error={error} problems={words.problems} />}
        <div className="actions">
          <Button look="primary" submit busy={busy !== null}>
            {words.dryRun.submit}
          </Button>
        </div>
      </form>
      {result !== null && <DryRunOutcome result={result} />}
    </>
  );
}
