import type { CaptureState } from '@constancia/contracts/capture';
import { useEffect } from 'react';
import { StepFrame } from '../screens/step-frame.tsx';
import { useSession } from '../session/session.tsx';
import { useSending } from '../session/use-sending.ts';
import { useText } from '../text/language.ts';

/** The last step asks nothing of the person. */
export function LastCheck({ state }: { state: CaptureState }) {
  const { text } = useText();
  const { api } = useSession();
  const sending = useSending();
  const { send } = sending;
  useEffect(() => {
    const key = crypto.randomUUID();
    void send(() => api.advance({}, key));
  }, [api, send]);
  return (
    <StepFrame state={state} title={text.waiting.title} lead={text.waiting.lead} sending={sending}>
      <p className="waits">
        <span className="spinner" aria-hidden="true" />
      </p>
    </StepFrame>
  );
}
