import { type CaptureState, type CaptureStatus, PASSIVE_FRAMES } from '@constancia/contracts';
import { consentText } from '../flows/consent-texts.ts';
import { FILE_ALLOWED, type FlowStep } from '../flows/step-types.ts';
import type { Capture } from '../hosted/capture.entity.ts';
import { MOST_HANDOVERS } from '../hosted/capture-tokens.ts';
import { RETRY_HELP } from '../sessions/bearer-reasons.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import type { SessionStatus } from '../sessions/session-states.ts';

const RESULTS = {
  in_progress: null,
  manual_review: 'in_review',
  completed: 'verified',
  failed: 'not_verified',
} as const satisfies Record<SessionStatus, CaptureState['result']>;

interface CaptureFacts extends Pick<CaptureState, 'tenant' | 'device' | 'reuse'> {
  capture: Capture;
}

/**
 * A session as the capture page shows it. The one place where that is decided: never why a session was not approved, scores, or anything
 * that was read from the document (no tipping-off).
 */
export function captureState(session: FlowSession, { capture, tenant, device, reuse }: CaptureFacts): CaptureState {
  const step = currentStep(session);
  return {
    status: statusOf(session),
    step: step?.step_type ?? null,
    required: step?.required ?? false,
    attempts_left: step && 'max_attempts' in step.config ? attemptsLeft(session, step.config.max_attempts) : null,
    retry_reason: retryReason(session),
    consent: step?.step_type === 'consent' ? consentText(capture.locale) : null,
    reuse: reuse && (device === 'active' ? reuse : { ...reuse, consent_url: null }),
    document: step?.step_type === 'document_upload' ? documentOf(step, session.document_type) : null,
    selfie: step?.step_type === 'face_match' ? selfieOf(step) : null,
    tenant,
    locale: capture.locale,
    return_url: capture.return_url,
    expires_at: session.expires_at.toISOString(),
    result: RESULTS[session.status],
    device,
    handovers_left: Math.max(0, MOST_HANDOVERS - capture.handovers),
  };
}

function statusOf({ status, last_outcome, rejection_reason }: FlowSession): CaptureStatus {
  if (status === 'in_progress') return last_outcome === 'processing' ? 'processing' : 'in_progress';
  return status === 'failed' && rejection_reason === 'expired' ? 'expired' : status;
}

function attemptsLeft({ attempts, steps, current_step }: FlowSession, most: number): number {
  const type = steps[current_step ?? 0]?.step_type ?? '';
  return Math.max(0, most - (attempts[type] ?? 0));
}

function retryReason({ status, last_outcome, last_reason }: FlowSession): string | null {
  if (status !== 'in_progress' || last_outcome !== 'retry' || last_reason === null) return null;
  return Object.hasOwn(RETRY_HELP, last_reason) ? last_reason : null;
}

function documentOf(
  { config }: Extract<FlowStep, { step_type: 'document_upload' }>,
  documentType: string,
): CaptureState['document'] {
  return {
    document_type: documentType,
    document_types: config.document_types,
    sides: documentType === 'PA' ? ['front'] : ['front', 'back'],
    file_allowed: config.file_allowed ?? FILE_ALLOWED.document_upload,
  };
}

function selfieOf({ config }: Extract<FlowStep, { step_type: 'face_match' }>): CaptureState['selfie'] {
  const { least, most, withinMs } = PASSIVE_FRAMES;
  return {
    liveness_mode: config.liveness_mode,
    file_allowed: config.file_allowed ?? FILE_ALLOWED.face_match,
    frames:
      config.liveness_mode === 'basic' && config.passive_liveness !== 'off'
        ? { least, most, within_ms: withinMs }
        : null,
  };
}
