import { PRICE } from '@constancia/contracts/prices';
import type { components } from '@constancia/sdk/generated/compliance';
import { Button, Notice } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DecisionState } from '../matches/decision-state.tsx';
import { useCall } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Outcome } from './outcome.tsx';
import { SCREENINGS } from './query-keys.ts';
import { SubjectFacts } from './subject-facts.tsx';
import { useScreeningText } from './text/language.ts';

type Schemas = components['schemas'];

type Warning = NonNullable<Schemas['DryRunView']['warnings']>[number];

export interface DryRunResult {
  /** What a screening is asked for with, to find the same. */
  body: Schemas['ScreeningBody'];
  found: Schemas['DryRunView'];
}

/** What was found, and the way to a screening of the same subject when the rules are published. */
export function DryRunOutcome({ result: { body, found } }: { result: DryRunResult }) {
  const { words, number } = useScreeningText();
  const [asked, setAsked] = useState(false);
  return (
    <section aria-label={words.dryRun.result}>
      <div className="page-head">
        <h2>
          {words.dryRun.result} <DecisionState of={found.decision} />
        </h2>
        {found.validation_status === 'published' && (
          <div className="actions small">
            <Button onPress={() => setAsked(true)}>{words.dryRun.screen}</Button>
          </div>
        )}
      </div>
      <div className="case">
        <SubjectFacts
          payload={body.payload}
          before={[
            [words.points, number(found.score)],
            [words.validation, words.version(found.validation_code, found.validation_version)],
          ]}
        />
        <div>
          <Warnings of={found.warnings ?? []} />
          <Outcome of={found} />
        </div>
      </div>
      {asked && <ScreenDialog body={body} onClose={() => setAsked(false)} />}
    </section>
  );
}

/** What cannot be right of the subject, and is screened all the same. */
function Warnings({ of: warnings }: { of: readonly Warning[] }) {
  const { text, words, locale } = useScreeningText();
  return warnings.map(({ pointer, code, detail }) => (
    <Notice key={pointer} tone="warning">
      <p>
        <code>{pointer.replace(/^\/payload\//, '')}</code>{' '}
        {(locale === 'en' ? detail : text.faults[code]) ?? text.faults.other} {words.dryRun.screenedAnyway}
      </p>
    </Notice>
  ));
}

/** Screens the subject of the dry run: it is kept and charged. */
function ScreenDialog({ body, onClose }: { body: DryRunResult['body']; onClose: () => void }) {
  const { words, number } = useScreeningText();
  const call = useCall();
  const navigate = useNavigate();
  return (
    <FormDialog
      title={words.dryRun.screen}
      lead={words.dryRun.screenLead(number(PRICE.screening))}
      submit={words.dryRun.screenNow}
      onClose={onClose}
      onSubmit={async (_form, idempotencyKey) => {
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const { id } = await call(({ compliance }) => compliance.POST('/v1/screenings', { params, body }), SCREENINGS, [
          'cases',
        ]);
        await navigate({ to: '/screenings/$id', params: { id } });
      }}
    />
  );
}
