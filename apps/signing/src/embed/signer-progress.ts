import type { EmbedProgress } from '@constancia/embed-sessions';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { nextStep } from '../signer-requests/next-step.ts';

/** What is read of a signer and the envelope to say how far they are. */
export interface ShownSigner {
  signer: Pick<SignerRow, 'status' | 'auth' | 'auth_done' | 'token_hash'>;
  envelope: Pick<EnvelopeRow, 'status' | 'expires_at'>;
}

/** How far a signer is, for a frame that was given the link with this hash. The methods that any browser proved count as done. */
export function signerProgress({ signer, envelope }: ShownSigner, linkHash: Buffer, now: Date): EmbedProgress {
  const { status, auth, auth_done: proven } = signer;
  const end = endOf({ signer, envelope }, linkHash, now);
  const next = nextStep({ envelopeStatus: envelope.status, status, documentAccess: 'link', auth, proven });
  return {
    step: end !== null || next === 'done' ? null : next,
    begun: status === 'consented' || status === 'authenticated',
    end,
  };
}

function endOf({ signer, envelope }: ShownSigner, linkHash: Buffer, now: Date): EmbedProgress['end'] {
  if (signer.status === 'signed') return 'completed';
  const late = envelope.expires_at.getTime() <= now.getTime();
  if (signer.status === 'declined' || !isOpen(envelope.status) || late) return 'failed';
  return signer.token_hash.equals(linkHash) ? null : 'revoked';
}
