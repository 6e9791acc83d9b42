import type { WalletLevel } from '@constancia/contracts';
import type { FlowStep } from '../flows/step-types.ts';
import type { SessionContext } from '../sessions/session-context.ts';
import type { FlowSession } from '../sessions/session-row.ts';

/**
 * The level of a session that ended well; null when no document was looked at, or it was that of a wallet: there is nothing to keep. Other
 * tenants rely on it, so a face counts only as the platform compares faces: not by a flow's own thresholds, without the checks of its
 * frames, or by the tenant's own review of a session.
 */
export function levelOf(
  { steps, flags }: Pick<FlowSession, 'steps' | 'flags'>,
  context: SessionContext,
): WalletLevel | null {
  const taken = (type: FlowStep['step_type']) => {
    const answers = context[type];
    return answers !== undefined && answers.skipped !== true && answers.reused !== true;
  };
  if (!taken('document_upload')) return null;
  const face = steps.find((step) => step.step_type === 'face_match');
  if (!taken('face_match') || face === undefined || flags.length > 0 || !isOrdinary(face)) return 'document';
  return face.config.liveness_mode === 'active' ? 'document_face_liveness' : 'document_face';
}

const isOrdinary = ({ config }: Extract<FlowStep, { step_type: 'face_match' }>): boolean =>
  config.thresholds === null && config.passive_liveness !== 'off';
