import type { FlowStep } from '../flows/step-types.ts';
import type { SessionContext } from '../sessions/session-context.ts';

/** What a verification looked at: the document; the face too; the face, which took the poses that the server asked for. */
export const WALLET_LEVELS = ['document', 'document_face', 'document_face_liveness'] as const;
export type WalletLevel = (typeof WALLET_LEVELS)[number];

/** The level of a session that ended well; null when no document was looked at, so that there is nothing to keep. */
export function levelOf(steps: readonly FlowStep[], context: SessionContext): WalletLevel | null {
  const taken = (type: FlowStep['step_type']) => context[type] !== undefined && context[type].skipped !== true;
  if (!taken('document_upload')) return null;
  if (!taken('face_match')) return 'document';
  const active = steps.some((step) => step.step_type === 'face_match' && step.config.liveness_mode === 'active');
  return active ? 'document_face_liveness' : 'document_face';
}
