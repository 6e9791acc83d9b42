import type { WalletLevel } from '@constancia/contracts';
import type { FlowStep } from '../flows/step-types.ts';
import type { SessionContext } from '../sessions/session-context.ts';

/** The level of a session that ended well; null when no document was looked at, or it was that of a wallet: there is nothing to keep. */
export function levelOf(steps: readonly FlowStep[], context: SessionContext): WalletLevel | null {
  const taken = (type: FlowStep['step_type']) => {
    const answers = context[type];
    return answers !== undefined && answers.skipped !== true && answers.reused !== true;
  };
  if (!taken('document_upload')) return null;
  if (!taken('face_match')) return 'document';
  const active = steps.some((step) => step.step_type === 'face_match' && step.config.liveness_mode === 'active');
  return active ? 'document_face_liveness' : 'document_face';
}
