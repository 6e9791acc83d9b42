import { Button, showRefusal, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Tagged } from '../../api/apis.ts';
import { Failure } from '../../parts/failure.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.tsx';
import { useAction } from '../../parts/use-action.ts';
import { type FlowStep, type FlowView, missingThreshold, NO_FAULTS, stepFaultsOf } from './step-form.ts';
import { StepList } from './step-list.tsx';
import { useDraft } from './use-draft.ts';
import { useStepForm } from './use-step-form.ts';
import { useFlowText } from './text/language.ts';
import './flows.css';

interface FlowEditorProps {
  of: Tagged<FlowView>;
  /** It is a draft no more. */
  onPublished: () => void;
}

/** Edits a draft. The API says what is wrong with it; whatever it says, what was written stays. */
export function FlowEditor({ of: flow, onPublished }: FlowEditorProps) {
  const { text, words, locale } = useFlowText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { busy, error, run } = useAction();
  const draft = useDraft(flow);
  const { form, order, setOrder, steps, isChanged, keep } = useStepForm(flow.steps);
  const { dialog } = useLeaveGuard({ unsaved: true, isLosing: isChanged });
  const [faults, setFaults] = useState(NO_FAULTS);
  const [publishes, setPublishes] = useState(false);
  useEffect(() => {
    if (error !== null && form.current !== null) showRefusal(form.current);
  }, [error, form]);

  /** Before anything is sent: marks what is missing, and goes there. */
  const isWhole = (): boolean => {
    const shown = form.current;
    if (shown?.reportValidity() !== true) return false;
    const missing = missingThreshold(order, new FormData(shown));
    setFaults(missing === null ? NO_FAULTS : { ...NO_FAULTS, fields: { [missing]: words.faults.threshold } });
    if (missing === null) return true;
    shown.querySelector<HTMLElement>(`[name="${missing}"]`)?.focus();
    return false;
  };
  /** Marks what the API finds wrong with the steps. */
  const send = async <Answer,>(action: (sent: FlowStep[]) => Promise<Answer>): Promise<Answer> => {
    const sent = steps();
    setFaults(NO_FAULTS);
    try {
      const answer = await action(sent);
      keep(sent);
      return answer;
    } catch (failure) {
      setFaults(stepFaultsOf(failure, order, { texts: words.faults, isEnglish: locale === 'en' }));
      throw failure;
    }
  };
  const published = (): void => {
    onPublished();
    announce(words.publishDone);
  };
  const save = (): Promise<void> =>
    run('save', async () => {
      if (await send(draft.save)) published();
      else announce(words.saved);
    });
  const copy = (): Promise<void> =>
    run('copy', async () => {
      const id = await send(draft.copy);
      await navigate({ to: '/identity/flows/$id', params: { id } });
      announce(words.cloned);
    });
  const publish = async (): Promise<void> => {
    await send(draft.publish);
    published();
  };
  const problems = { 'state-conflict': words[draft.conflict] };

  return (
    <>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole()) void save();
        }}
      >
        <StepList order={order} known={flow.steps} faults={faults} onOrder={setOrder} />
        {error !== null && <Failure error={error} problems={problems} />}
        <div className="actions">
          <Button look="primary" submit busy={busy === 'save'} waiting={busy !== null}>
            {text.save}
          </Button>
          <Button waiting={busy !== null} onPress={() => isWhole() && setPublishes(true)}>
            {words.publish}
          </Button>
          <Button busy={busy === 'copy'} waiting={busy !== null} onPress={() => isWhole() && void copy()}>
            {words.copy}
          </Button>
        </div>
      </form>
      {publishes && (
        <FormDialog
          title={words.publishTitle(`${flow.type} / ${flow.code}`)}
          lead={words.publishLead}
          submit={words.publish}
          problems={problems}
          onClose={() => setPublishes(false)}
          onSubmit={publish}
        />
      )}
      {dialog}
    </>
  );
}
