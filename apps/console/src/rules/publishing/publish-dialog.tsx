import { Notice, useAnnounce } from '@constancia/web';
import { useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useSignedIn } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { contentOf } from '../model/edited-rule.ts';
import { changedRules } from '../model/rule-diff.ts';
import { usePublished, useRules, useValidation, VALIDATIONS, type ValidationRow } from '../model/use-rules.ts';
import { RulesDiff } from '../parts/rule-diff.tsx';
import { useRuleText } from '../text/language.ts';

interface PublishDialogProps {
  of: ValidationRow;
  onClose: () => void;
}

/** Publishes the draft as it was shown. When somebody was faster it shows how it is now, and the next press is about that. */
export function PublishDialog({ of: shown, onClose }: PublishDialogProps) {
  const { words, number } = useRuleText();
  const announce = useAnnounce();
  const call = useCall();
  const { member } = useSignedIn().view;
  const [stale, setStale] = useState(false);
  const decidedOn = useRef(shown);
  const latest = useValidation(shown.id).data ?? shown;
  const fourEyes = useFourEyes();
  const isGone = latest.status !== 'draft';
  const isOwn = latest.published_first_by === member.name;
  const refusal = isGone ? 'gone' : stale ? 'stale' : isOwn ? 'notAnother' : 'errors';

  const publish = async (): Promise<void> => {
    if (stale) decidedOn.current = latest;
    setStale(false);
    const params = { path: { id: shown.id }, header: { 'If-Match': decidedOn.current.etag } };
    try {
      const { status } = await call(
        ({ compliance }) => compliance.POST('/v1/validations/{id}/publish', { params }),
        VALIDATIONS,
      );
      announce(status === 'published' ? words.publish.done : words.publish.waits);
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 409) {
        const now = await call(
          ({ compliance }) => compliance.GET('/v1/validations/{id}', { params: { path: { id: shown.id } } }),
          VALIDATIONS,
        );
        setStale(now.etag !== decidedOn.current.etag);
      }
      throw failure;
    }
  };
  return (
    <FormDialog
      title={words.publish.title(number(shown.version))}
      lead={words.publish.lead}
      submit={words.publish.submit}
      problems={{ 'state-conflict': words.publish[refusal] }}
      onClose={onClose}
      onSubmit={publish}
    >
      {fourEyes && <p>{words.publish.fourEyes}</p>}
      {latest.published_first_by !== null && (
        <Notice tone="news">
          <p>{isOwn ? words.publish.notAnother : words.publish.firstBy(latest.published_first_by)}</p>
        </Notice>
      )}
      <RuleChanges of={latest} />
    </FormDialog>
  );
}

/** What publishing would change in the rules that screenings use now. */
export function RuleChanges({ of: { id, code } }: { of: Pick<ValidationRow, 'id' | 'code'> }) {
  const { words, number } = useRuleText();
  const published = usePublished(code);
  const before = useRules(published.data?.id);
  const after = useRules(id);
  if (published.data === null) return <p>{words.publish.first}</p>;
  return (
    <Loaded query={published}>
      {(version) => (
        <Loaded query={before}>
          {(old) => {
            const changes = changedRules(old.map(contentOf), (after.data ?? old).map(contentOf));
            if (version === null || changes.length === 0) return <p>{words.publish.same}</p>;
            return (
              <>
                <p>{words.publish.replaces(number(version.version))}</p>
                <RulesDiff of={changes} />
              </>
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

/** Whether two people have to publish. */
function useFourEyes(): boolean {
  const settings = useRecord(['compliance-settings'], ({ compliance }) => compliance.GET('/v1/compliance-settings'));
  return settings.data?.publish_four_eyes === true;
}
