import type { EmbedState } from '@constancia/contracts';
import type { FlowSession } from '../sessions/session-row.ts';
import type { EmbedSession } from './embed-session.entity.ts';

/** The state of an embed session: what became of its token, and how far its flow session is. */
export function embedState(
  { revoked_at, exchanged_at, expires_at }: Pick<EmbedSession, 'revoked_at' | 'exchanged_at' | 'expires_at'>,
  { status, current_step, last_outcome }: Pick<FlowSession, 'status' | 'current_step' | 'last_outcome'>,
  now: Date,
): EmbedState {
  if (revoked_at !== null) return 'revoked';
  if (status === 'failed') return 'failed';
  if (status !== 'in_progress') return 'completed';
  if (expires_at.getTime() <= now.getTime()) return 'expired';
  if (exchanged_at === null) return 'created';
  return current_step === 0 && last_outcome === null ? 'opened' : 'in_progress';
}
