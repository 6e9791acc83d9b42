import { Button, Field, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { usePublished, useValidation, type ValidationRow } from '../model/use-rules.ts';
import { PublishDialog } from '../publishing/publish-dialog.tsx';
import { RuleChanges } from '../publishing/rule-changes.tsx';
import { useComparison } from '../publishing/use-comparison.ts';
import { useRuleText } from '../text/language.ts';
import { BacktestDiff, type Tested } from './backtest-diff.tsx';
import { NotAllowed } from './not-allowed.tsx';

const route = getRouteApi('/rules/$id/backtest');
const USUAL = '10000';

/** What these rules would have decided on past screenings, as a difference, and the way to publish them. */
export function Backtest() {
  const { words } = useRuleText();
  const may = useMay();
  const { id } = route.useParams();
  const validation = useValidation(id);
  const [publishing, setPublishing] = useState<ValidationRow | null>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const isStale = useIsStale(validation.data, tested);
  const mayTest = may('compliance:rules');
  return (
    <>
      <p className="back">
        <Link to="/rules/$id" params={{ id }}>
          {validation.data?.name ?? words.back}
        </Link>
      </p>
      <PageHead title={words.backtest} of={validation.data?.code} lead={words.trial.backtestLead}>
        {validation.data?.status === 'draft' && mayTest && (
          <Button
            look="primary"
            disabled={validation.data.rules === 0}
            onPress={() => setPublishing(validation.data ?? null)}
          >
            {words.publish.submit}
          </Button>
        )}
      </PageHead>
      <Loaded query={validation}>
        {(loaded) => (
          <>
            {mayTest ? <BacktestForm validation={loaded} onTested={setTested} /> : <NotAllowed />}
            {isStale && (
              <Notice tone="warning">
                <p>{words.trial.stale}</p>
              </Notice>
            )}
            <div role="status">{tested !== null && <BacktestDiff of={tested} />}</div>
            <ChangesToPublish of={loaded} />
          </>
        )}
      </Loaded>
      {publishing !== null && <PublishDialog of={publishing} onClose={() => setPublishing(null)} />}
    </>
  );
}

/** Whether the rules, or those that they would replace, are others than those that were tested. */
function useIsStale(validation: ValidationRow | undefined, tested: Tested | null): boolean {
  const published = usePublished(validation?.code).data;
  if (validation?.status !== 'draft' || tested === null) return false;
  return validation.etag !== tested.etag || (published !== undefined && (published?.id ?? null) !== tested.publishedId);
}

/** A published version is compared with itself: nothing to say. */
function ChangesToPublish({ of: validation }: { of: ValidationRow }) {
  const { words } = useRuleText();
  const comparison = useComparison(validation);
  if (validation.status === 'published') return null;
  return (
    <>
      <h2>{words.trial.ruleChanges}</h2>
      <RuleChanges of={comparison} first={words.trial.nothingPublished} />
    </>
  );
}

interface BacktestFormProps {
  validation: ValidationRow;
  onTested: (tested: Tested | null) => void;
}

/** One backtest of these rules and, to compare what fires, one of the published ones. */
function BacktestForm({ validation: { id, code, etag }, onTested }: BacktestFormProps) {
  const { words, number } = useRuleText();
  const call = useCall();
  const published = usePublished(code).data;
  const { busy, error, run } = useAction();
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const entries = ['from', 'to'].map((name) => [name, String(form.get(name) ?? '')] as const);
    const body = {
      ...Object.fromEntries(entries.filter(([, day]) => day !== '')),
      max: Number(form.get('max')),
      validation_code: code,
    };
    const test = (of: string) =>
      call(({ compliance }) =>
        compliance.POST('/v1/validations/{id}/backtest', { params: { path: { id: of } }, body }),
      );
    void run('test', async () => {
      onTested(null);
      const draft = await test(id);
      const current = published && published.id !== id ? await test(published.id) : null; // one at a time for each tenant
      onTested({ etag, publishedId: published?.id ?? null, draft, current });
    });
  };
  return (
    <form className="filter" onSubmit={send} onChange={() => onTested(null)}>
      <Field name="from" type="date" label={words.trial.from} />
      <Field name="to" type="date" label={words.trial.to} />
      <Field
        name="max"
        label={words.trial.most}
        defaultValue={USUAL}
        options={['1000', USUAL, '100000'].map((most) => [most, number(Number(most))] as const)}
      />
      <Button look="primary" submit busy={busy !== null}>
        {words.trial.run}
      </Button>
      {error !== null && <Failure error={error} problems={{ conflict: words.trial.busy }} />}
    </form>
  );
}
