import { DOCUMENT_TYPES } from '@constancia/reference-data';
import { Button, Field, FieldFaults, Notice, useRefusalShown } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useValidation } from '../model/use-rules.ts';
import { useRuleText } from '../text/language.ts';
import { NotAllowed } from './not-allowed.tsx';
import { payloadOf } from './payload.ts';
import { type Result, TrialResult } from './trial-result.tsx';

const route = getRouteApi('/rules/$id/try');
/** Nothing is kept of it. */
const REFERENCE = 'dry-run';

/** Tries the saved rules of a validation on somebody who is typed in. */
export function DryRun() {
  const { words } = useRuleText();
  const { id } = route.useParams();
  const validation = useValidation(id);
  const may = useMay();
  const [tried, setTried] = useState<{ etag: string; result: Result } | null>(null);
  return (
    <>
      <p className="back">
        <Link to="/rules/$id" params={{ id }}>
          {validation.data?.name ?? words.back}
        </Link>
      </p>
      <PageHead title={words.tryIt} of={validation.data?.code} lead={words.trial.tryLead} />
      <Loaded query={validation}>
        {({ code, etag }) =>
          may('compliance:screen') ? (
            <div className="trial">
              <TrialForm
                validationId={id}
                code={code}
                onResult={(result) => setTried(result === null ? null : { etag, result })}
              />
              <div>
                {tried !== null && tried.etag !== etag && (
                  <Notice tone="warning">
                    <p>{words.trial.staleTry}</p>
                  </Notice>
                )}
                <div role="status">{tried !== null && <TrialResult of={tried.result} />}</div>
              </div>
            </div>
          ) : (
            <NotAllowed />
          )
        }
      </Loaded>
    </>
  );
}

interface TrialFormProps {
  validationId: string;
  code: string;
  onResult: (result: Result | null) => void;
}

function TrialForm({ validationId, code, onResult }: TrialFormProps) {
  const { text, words, locale } = useRuleText();
  const call = useCall();
  const { busy, error, run } = useAction();
  const [unread, setUnread] = useState<'amount' | 'more' | null>(null);
  const form = useRefusalShown<HTMLFormElement>(unread ?? error);
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const payload = payloadOf(values, locale);
    setUnread(typeof payload === 'string' ? payload : null);
    onResult(null);
    if (typeof payload === 'string') return;
    void run('try', async () => {
      const body = {
        validation_id: validationId,
        validation_code: code,
        subject_ref: REFERENCE,
        subject_type: values.get('subject_type') === 'legal' ? ('legal' as const) : ('natural' as const),
        payload,
      };
      onResult(await call(({ compliance }) => compliance.POST('/v1/screenings/dry-run', { body })));
    });
  };
  const refused = (error instanceof ApiError ? error.faults : []).map(({ pointer, code: fault, detail }) => [
    pointer.split('/').at(-1) ?? '',
    text.faults[fault] ?? (locale === 'en' ? detail : text.faults.other),
  ]);
  const sentences = { amount: words.editor.noNumber, more: words.trial.badJson };
  const faults = {
    ...Object.fromEntries(refused),
    ...(unread !== null && { [unread]: sentences[unread] }),
  } as Record<string, string>;
  return (
    <form ref={form} className="card" onSubmit={send} onChange={() => onResult(null)}>
      {error !== null && <Failure error={error} />}
      <FieldFaults value={faults}>
        <Field
          name="subject_type"
          label={words.trial.type}
          options={[
            ['natural', words.editor.choices.natural],
            ['legal', words.editor.choices.legal],
          ]}
        />
        <Field name="full_name" label={words.trial.fullName} maxLength={300} />
        <div className="rule-facts">
          <Field name="birth_date" type="date" label={words.trial.birth} />
          <Field name="country_code" label={words.trial.country} hint={words.trial.countryHint} maxLength={2} />
          <Field
            name="document_type"
            label={words.trial.documentType}
            options={[['', words.trial.unknown], ...DOCUMENT_TYPES.map((type) => [type, type] as const)]}
          />
          <Field name="document_number" label={words.trial.documentNumber} maxLength={64} />
          <Field name="amount" label={words.trial.amount} />
          <Field name="currency" label={words.trial.currency} hint={words.trial.currencyHint} maxLength={3} />
        </div>
        <Field name="more" label={words.trial.more} hint={words.trial.moreHint} lines={3} maxLength={20_000} />
      </FieldFaults>
      <Button look="primary" submit busy={busy !== null}>
        {words.trial.submit}
      </Button>
    </form>
  );
}
