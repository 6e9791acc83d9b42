import type { EmbedState } from '@constancia/contracts';
import type { EmbedSessionRow } from './embed-session-row.ts';
import type { EmbedProgress } from './embed-targets.ts';

/** The state of an embed session: what became of its token, and how far the person is. */
export function embedState(
  { revoked_at, exchanged_at, expires_at }: Pick<EmbedSessionRow, 'revoked_at' | 'exchanged_at' | 'expires_at'>,
  { begun, end }: Pick<EmbedProgress, 'begun' | 'end'>,
  now: Date,
): EmbedState {
  if (revoked_at !== null) return 'revoked';
  if (end !== null) return end;
  if (expires_at.getTime() <= now.getTime()) return 'expired';
  if (exchanged_at === null) return 'created';
  return begun ? 'in_progress' : 'opened';
}
