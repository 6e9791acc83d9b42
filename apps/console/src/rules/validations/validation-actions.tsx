import { Button, useAnnounce } from '@constancia/web';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay, useSignedIn } from '../../member/member.tsx';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type StoredRule, VALIDATIONS, type ValidationRow } from '../model/use-rules.ts';
import { PublishDialog } from '../publishing/publish-dialog.tsx';
import { useRuleText } from '../text/language.ts';
import { DiscardDialog, EditDialog, SeedDialog } from './validation-dialogs.tsx';

interface ValidationActionsProps {
  of: ValidationRow;
  rules: StoredRule[] | undefined;
}

/** What the state of a validation and the role of the reader allow. */
export function ValidationActions({ of: validation, rules }: ValidationActionsProps) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const may = useMay();
  const call = useCall();
  const navigate = useNavigate();
  const { busy, error, run } = useAction();
  const [asked, setAsked] = useState<'edit' | 'seed' | 'publish' | 'discard' | null>(null);
  const { member } = useSignedIn().view;
  const { id, status, published_first_by: first } = validation;
  const isDraft = status === 'draft' && may('compliance:rules');
  const close = (): void => setAsked(null);
  const clone = (): Promise<void> =>
    run('clone', async () => {
      const params = { path: { id } };
      const draft = await call(
        ({ compliance }) => compliance.POST('/v1/validations/{id}/clone', { params }),
        VALIDATIONS,
      );
      announce(words.cloned);
      await navigate({ to: '/rules/$id', params: { id: draft.id } });
    });
  return (
    <>
      {isDraft && first !== member.name && (
        <Button look="primary" onPress={() => setAsked('publish')} disabled={rules === undefined || rules.length === 0}>
          {words.publish.submit}
        </Button>
      )}
      {may('compliance:rules') && (
        <Link to="/rules/$id/backtest" params={{ id }} className="button secondary">
          {words.backtest}
        </Link>
      )}
      {may('compliance:screen') && (
        <Link to="/rules/$id/try" params={{ id }} className="button secondary">
          {words.tryIt}
        </Link>
      )}
      {isDraft && (
        <>
          <Link to="/rules/$id/rule/$ruleId" params={{ id, ruleId: 'new' }} className="button secondary">
            {words.addRule}
          </Link>
          <Button onPress={() => setAsked('seed')}>{words.seed}</Button>
          <Button onPress={() => setAsked('edit')}>{words.edit}</Button>
          <Button onPress={() => setAsked('discard')}>{words.discard}</Button>
        </>
      )}
      {may('compliance:rules') && status !== 'draft' && (
        <Button busy={busy === 'clone'} onPress={() => void clone()}>
          {words.clone}
        </Button>
      )}
      {error !== null && <Failure error={error} />}
      {asked === 'edit' && <EditDialog of={validation} onClose={close} />}
      {asked === 'seed' && <SeedDialog of={validation} onClose={close} />}
      {asked === 'discard' && <DiscardDialog of={validation} onClose={close} />}
      {asked === 'publish' && <PublishDialog of={validation} onClose={close} />}
    </>
  );
}
