import type { CaptureState } from '@constancia/contracts/capture';
import { Button, Screen, useHostPage } from '@constancia/web';
import { KeepVerification } from '../keep/keep-verification.tsx';
import { useSession } from '../session/session.tsx';
import { SendingNotice } from './step-frame.tsx';
import { useSending } from '../session/use-sending.ts';
import { useText } from '../text/language.ts';

const SIGNS = { verified: 'done', in_review: 'wait', not_verified: 'stop', expired: 'stop' } as const;

/** How it ended, in words that never say why. */
export function Ended({ state }: { state: CaptureState }) {
  const { text } = useText();
  const host = useHostPage();
  const result = state.status === 'expired' ? 'expired' : (state.result ?? 'in_review');
  const { title, lead } = text.result[result];
  return (
    <Screen sign={SIGNS[result]} title={title} lead={lead}>
      {result === 'verified' && host === null && state.device === 'active' && <KeepVerification />}
      {state.return_url !== null && (
        <div className="actions">
          <a className="button primary" href={state.return_url} rel="noreferrer">
            {text.result.return(state.tenant.display_name)}
          </a>
        </div>
      )}
      {host !== null && (
        <div className="actions">
          <Button look="primary" onPress={() => host.send('closed', {})}>
            {text.embed.close}
          </Button>
        </div>
      )}
    </Screen>
  );
}

export function Waiting() {
  const { text } = useText();
  return (
    <Screen title={text.waiting.title} lead={text.waiting.lead}>
      <p className="waits">
        <span className="spinner" aria-hidden="true" />
      </p>
    </Screen>
  );
}

/** Another device has the session. */
export function Elsewhere() {
  const { text } = useText();
  const { api } = useSession();
  const sending = useSending();
  return (
    <Screen sign="wait" title={text.handover.title} lead={text.handover.elsewhere}>
      <SendingNotice sending={sending} />
      <div className="actions">
        <Button onPress={() => void sending.send(() => api.claim())} busy={sending.busy}>
          {text.handover.back}
        </Button>
      </div>
    </Screen>
  );
}

/** There is no session to be shown. */
export function Without({ kind }: { kind: 'unknown' | 'unreachable' | 'refused' | 'suspended' }) {
  const { text } = useText();
  const { load } = useSession();
  const { title, lead } = kind === 'refused' ? text.unreachable : text[kind];
  return (
    <Screen sign="stop" title={title} lead={kind === 'refused' ? text.tooMany : lead}>
      {kind !== 'unknown' && (
        <div className="actions">
          <Button look="primary" onPress={() => void load()}>
            {text.again}
          </Button>
        </div>
      )}
    </Screen>
  );
}
