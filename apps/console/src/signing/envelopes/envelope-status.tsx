import { State } from '@constancia/web';
import { useSigningText } from '../text/language.ts';
import type { EnvelopeRow, EnvelopeSigner } from './use-envelope.ts';

const KINDS = {
  sent: 'wait',
  in_progress: 'wait',
  sealing: 'wait',
  sealed: 'good',
  declined: 'bad',
  voided: 'bad',
  expired: 'bad',
  failed: 'bad',
} as const;

export function EnvelopeStatus({ of: { status } }: { of: Pick<EnvelopeRow, 'status'> }) {
  const { words } = useSigningText();
  return <State kind={KINDS[status]}>{words.envelopes.statuses[status]}</State>;
}

export function SignerStatus({ of: { status, not_me_at } }: { of: EnvelopeSigner }) {
  const { words } = useSigningText();
  if (not_me_at !== null && status !== 'signed') return <State kind="bad">{words.envelopes.notMe}</State>;
  const kind = status === 'signed' ? 'good' : status === 'declined' ? 'bad' : 'wait';
  return <State kind={kind}>{words.envelopes.signerStatuses[status]}</State>;
}
