import type { CaptureState, CaptureStep } from '@constancia/contracts/capture';
import { Button, Notice, Screen } from '@constancia/web';
import type { ReactNode } from 'react';
import type { Sending } from '../session/use-sending.ts';
import { useText } from '../text/language.ts';

const SHOWN: readonly CaptureStep[] = ['consent', 'document_upload', 'face_match', 'sarlaft'];

interface StepFrameProps {
  state: CaptureState;
  title: string;
  lead: string;
  sending: Sending;
  children: ReactNode;
}

/** One step: how far it is, what went wrong the last time, and what to do. */
export function StepFrame({ state, title, lead, sending, children }: StepFrameProps) {
  const { text } = useText();
  const at = SHOWN.indexOf(state.step as CaptureStep) + 1;
  const { retry_reason: reason, attempts_left: left } = state;
  return (
    <>
      <div className="progress">
        <p>
          {text.steps.label(at, SHOWN.length)}: <strong>{text.steps[SHOWN[at - 1] as CaptureStep]}</strong>
        </p>
        <progress max={SHOWN.length} value={at} aria-label={text.steps.label(at, SHOWN.length)} />
      </div>
      <Screen title={title} lead={lead}>
        {reason !== null && (
          <Notice tone="warning">
            {text.retry[reason] ?? text.retry.other} {left !== null && text.attemptsLeft(left)}
          </Notice>
        )}
        <SendingNotice sending={sending} />
        {children}
      </Screen>
    </>
  );
}

/** What became of the last request, when it was not done. */
export function SendingNotice({ sending }: { sending: Sending }) {
  const { text } = useText();
  if (sending.lost)
    return (
      <Notice tone="error">
        <p>{text.lost}</p>
        <Button onPress={sending.again} busy={sending.busy}>
          {text.again}
        </Button>
      </Notice>
    );
  if (sending.refused === 429) return <Notice tone="error">{text.tooMany}</Notice>;
  if (sending.refused === 415 || sending.refused === 413)
    return <Notice tone="error">{text.retry.not_an_image}</Notice>;
  if (sending.refused !== null && sending.refused !== 422) return <Notice tone="error">{text.refused}</Notice>;
  return null;
}

/** Leaves out a step that need not be taken. */
export function SkipStep({ state, sending }: { state: CaptureState; sending: Sending }) {
  const { text } = useText();
  return state.required ? null : (
    <Button look="quiet" onPress={sending.skip} waiting={sending.busy}>
      {text.skip}
    </Button>
  );
}
