import { Button, useAnnounce } from '@constancia/web';
import { useRef, useState } from 'react';
import { useKeepSession } from '../../member/keep-session.ts';
import { useCall } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FLOWS } from './flow-parts.tsx';
import { type FlowView, NO_FAULTS, stepFaultsOf, stepsOf } from './step-form.ts';
import { StepList } from './step-list.tsx';
import { useFlowText } from './text/language.ts';
import './flows.css';

interface FlowEditorProps {
  of: FlowView;
  /** It is a draft no more. */
  onPublished: () => void;
}

/** Edits a draft. The API says what is wrong with it; whatever it says, what was written stays. */
export function FlowEditor({ of: flow, onPublished }: FlowEditorProps) {
  const { text, words, locale } = useFlowText();
  const announce = useAnnounce();
  const call = useCall();
  const { busy, error, run } = useAction();
  useKeepSession(true);
  const form = useRef<HTMLFormElement>(null);
  const [order, setOrder] = useState(() => flow.steps.map(({ step_type }) => step_type));
  const [faults, setFaults] = useState(NO_FAULTS);
  const [publishes, setPublishes] = useState(false);
  const params = { path: { id: flow.id } };

  const save = async (): Promise<void> => {
    if (form.current === null) return;
    const body = { steps: stepsOf(order, new FormData(form.current)) };
    setFaults(NO_FAULTS);
    try {
      await call(({ platform }) => platform.PUT('/v1/flows/{id}/steps', { params, body }), FLOWS);
    } catch (failure) {
      setFaults(stepFaultsOf(failure, order, { texts: words.faults, isEnglish: locale === 'en' }));
      throw failure;
    }
  };
  const publish = async (): Promise<void> => {
    await save();
    await call(({ platform }) => platform.POST('/v1/flows/{id}/publish', { params }), FLOWS);
    onPublished();
    announce(words.publishDone);
  };
  const problems = { 'state-conflict': words.notDraft };

  return (
    <>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void run('save', async () => {
            await save();
            announce(words.saved);
          });
        }}
      >
        <StepList order={order} known={flow.steps} faults={faults} onOrder={setOrder} />
        {error !== null && <Failure error={error} problems={problems} />}
        <div className="actions">
          <Button look="primary" submit busy={busy !== null}>
            {text.save}
          </Button>
          <Button onPress={() => form.current?.reportValidity() === true && setPublishes(true)}>{words.publish}</Button>
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
    </>
  );
}
