import { Notice, useAnnounce } from '@constancia/web';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useComplianceSettings } from '../../member/compliance-settings.ts';
import { useSignedIn } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import type { EditedRule } from '../model/edited-rule.ts';
import { problemsByRule } from '../model/problems.ts';
import { VALIDATIONS, type ValidationRow } from '../model/use-rules.ts';
import { ProblemList } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import { RuleChanges } from './rule-changes.tsx';
import { type Compared, useComparison } from './use-comparison.ts';

interface PublishDialogProps {
  of: ValidationRow;
  onClose: () => void;
}

/** Publishes the rules that it shows, by their etag. When they change meanwhile it says so, and the next press is about the new ones. */
export function PublishDialog({ of: opened, onClose }: PublishDialogProps) {
  const { words, number } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  const queries = useQueryClient();
  const { member } = useSignedIn().view;
  const fourEyes = useFourEyes();
  const comparison = useComparison(opened);
  const shown = comparison.data;
  const { latest, isReady } = stateFor(shown, opened);
  const [seen, setSeen] = useState<string | null>(null);
  const [refused, setRefused] = useState(false);
  if (seen === null && shown !== undefined) setSeen(stateOf(shown));
  const isStale = seen !== null && shown !== undefined && stateOf(shown) !== seen;
  const isOwn = latest.published_first_by === member.name;
  const refusal = latest.status !== 'draft' ? 'gone' : isStale ? 'stale' : isOwn ? 'notAnother' : 'errors';

  const publish = async (): Promise<void> => {
    if (shown === undefined) return;
    setSeen(stateOf(shown));
    setRefused(false);
    const params = { path: { id: latest.id }, header: { 'If-Match': shown.draft.validation.etag } };
    try {
      const { status } = await call(
        ({ compliance }) => compliance.POST('/v1/validations/{id}/publish', { params }),
        VALIDATIONS,
      );
      announce(status === 'published' ? words.publish.done : words.publish.waits);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) {
        await queries.refetchQueries({ queryKey: VALIDATIONS, type: 'active' });
        setRefused(true);
      }
      throw failure;
    }
  };
  return (
    <FormDialog
      title={words.publish.title(number(opened.version))}
      lead={fourEyes ? words.publish.fourEyes : words.publish.lead}
      submit={words.publish.submit}
      ready={isReady}
      problems={{ 'state-conflict': words.publish[refusal] }}
      onClose={onClose}
      onSubmit={publish}
    >
      {isStale && !refused && (
        <Notice tone="warning">
          <p>{words.publish.stale}</p>
        </Notice>
      )}
      {isOwn && <News>{words.publish.notAnother}</News>}
      {!isOwn && latest.published_first_by !== null && <News>{words.publish.firstBy(latest.published_first_by)}</News>}
      {shown !== undefined && <RuleProblems of={shown.rules} />}
      <RuleChanges of={comparison} first={words.publish.first} />
    </FormDialog>
  );
}

const News = ({ children }: { children: string }) => (
  <Notice tone="news">
    <p>{children}</p>
  </Notice>
);

/** What the linter found in the rules: its errors forbid publishing, its warnings do not. */
function RuleProblems({ of: rules }: { of: readonly EditedRule[] }) {
  const { words } = useRuleText();
  const found = useMemo(() => [...problemsByRule(rules)], [rules]);
  if (rules.length === 0) return <p className="empty">{words.noRules}</p>;
  if (found.length === 0) return null;
  return (
    <section aria-label={words.check}>
      <h3>{words.check}</h3>
      {found.map(([code, problems]) => (
        <div key={code}>
          <strong>{code}</strong>
          <ProblemList of={problems} />
        </div>
      ))}
    </section>
  );
}

/** The draft as it is shown, and whether it can be decided on. */
const stateFor = (shown: Compared | undefined, opened: ValidationRow) => ({
  latest: shown?.draft.validation ?? opened,
  isReady: shown !== undefined && shown.rules.length > 0,
});

/** Of what is compared: the rules, and those that they would replace. */
const stateOf = ({ draft, published }: Compared): string => `${draft.validation.etag} ${published?.id ?? ''}`;

/** Whether two people have to publish. */
function useFourEyes(): boolean {
  return useComplianceSettings().data?.publish_four_eyes === true;
}
