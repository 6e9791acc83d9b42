import { SIGNER_IDENTITY_METHODS, type VerifiedSigner } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import type { Flow } from '../flows/flow.entity.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import type { StepRun } from '../sessions/step-run.entity.ts';
import { isAccepted } from '../sessions/step-run.ts';

/** What a completed session states about a signer. */
export interface CompletedSession {
  session: FlowSession;
  flow: Pick<Flow, 'type' | 'code' | 'version'>;
  runs: readonly StepRun[];
  /** Of the subject's record; null: erased, or the document did not tell. */
  fullName: string | null;
}

/** The evidence of a completed session; null when it does not state a name, or lacks the document or the face. */
export function verifiedSigner({ session, flow, runs, fullName }: CompletedSession): VerifiedSigner | null {
  const accepted = runs.filter(isAccepted);
  const methods = SIGNER_IDENTITY_METHODS.filter((method) => accepted.some((run) => run.step_type === method));
  const face = session.steps.find(({ step_type }) => step_type === 'face_match');
  const complete = methods.length === SIGNER_IDENTITY_METHODS.length && face?.step_type === 'face_match';
  if (!complete || fullName === null || session.completed_at === null) return null;
  return {
    full_name: fullName,
    document_type: session.document_type,
    document_country: session.document_country,
    methods,
    liveness: face.config.liveness_mode,
    verified_at: session.completed_at.toISOString(),
    flow: { type: flow.type, code: flow.code, version: flow.version },
    session_id: typeId('fls', session.id),
  };
}
