import type { ErasureRequestMessage, ErasureResultMessage } from './erasures.ts';
import type { SessionReviewMessage, SessionReviewResultMessage } from './session-reviews.ts';
import type { SignerIdentityMessage, SignerIdentityResultMessage } from './signer-identity.ts';

/**
 * Every queue and the one app that consumes it. Messages are hints: versioned, ids only, free to be lost. A start-up check
 * refuses a consumer that is not named here, and a test that a queue has none or two.
 */
export const QUEUES = {
  sealing: { consumer: 'sealing-worker' },
  'webhook-delivery': { consumer: 'webhook-dispatcher' },
  'webhook-replay': { consumer: 'webhook-dispatcher' },
  rescreening: { consumer: 'compliance' },
  'screening-batch': { consumer: 'compliance' },
  'envelope-batch': { consumer: 'signing' },
  'step-run': { consumer: 'biometrics-worker' },
  'screening-request': { consumer: 'compliance' },
  'screening-result': { consumer: 'platform' },
  'session-review': { consumer: 'compliance' },
  'session-review-result': { consumer: 'platform' },
  'compliance-erasure': { consumer: 'compliance' },
  'signing-erasure': { consumer: 'signing' },
  'erasure-result': { consumer: 'platform' },
  'signer-identity': { consumer: 'platform' },
  'signer-identity-result': { consumer: 'signing' },
} as const satisfies Record<string, { consumer: string }>;

export type QueueName = keyof typeof QUEUES;

/** A signature request (or, later, an envelope) is waiting to be sealed. */
export interface SealingHint {
  v: 1;
  request_id: string;
}

/** An endpoint has deliveries that are due. */
export interface DeliveryHint {
  v: 1;
  endpoint_id: string;
}

/** A replay run has work left. */
export interface ReplayHint {
  v: 1;
  run_id: string;
}

/** A list became active: subjects may have to be screened again. */
export interface RescreeningHint {
  v: 1;
}

/** A screening batch was accepted. */
export interface ScreeningBatchHint {
  v: 1;
}

/** An envelope batch was accepted. */
export interface EnvelopeBatchHint {
  v: 1;
}

/** Runs of identity steps wait for the biometrics worker. */
export interface StepRunHint {
  v: 1;
  run_id: string;
}

/**
 * The identity module asks the compliance module. May come more than once with the same request_id (a UUID): it is carried out
 * once and answered each time.
 */
export interface ScreeningRequestMessage {
  v: 1;
  request_id: string;
  tenant_id: string;
  /** Queues.seal of a ScreeningRequest. */
  sealed: string;
  /** W3C trace context of what asks. Left out by the release before, and without tracing. */
  traceparent?: string;
}

/**
 * screen: the subject of a flow, by the published validation of a code. seed_default: create and publish the canonical validation
 * `default` when the tenant has none of that code. resolve_case: a person decided about the subject in the identity module; a case
 * that is resolved already stays as it is. case_state: is this case resolved?
 */
export type ScreeningRequest =
  | {
      kind: 'screen';
      validation_code: string;
      subject_ref: string;
      subject_type: 'natural' | 'legal';
      /** As in POST /v1/screenings. */
      payload: Record<string, unknown>;
    }
  | { kind: 'seed_default' }
  | { kind: 'resolve_case'; case_id: string; decision: 'approve' | 'reject'; reason: string; actor: string }
  | { kind: 'case_state'; case_id: string };

/** The compliance module answers, with the request's ids. */
export interface ScreeningResultMessage {
  v: 1;
  request_id: string;
  tenant_id: string;
  /** Queues.seal of a ScreeningResult. */
  sealed: string;
  /** W3C trace context of what answers. */
  traceparent?: string;
}

export type ScreeningResult =
  | {
      outcome: 'screened';
      /** TypeIDs. */
      screening_id: string;
      case_id: string | null;
      decision: 'approve' | 'review' | 'reject';
      score: number;
      list_hits: string[];
    }
  | { outcome: 'seeded'; validation_id: string; created: boolean }
  /**
   * Also sent unasked, with the id of the screening's request, when a case that a request of the identity module opened or was
   * attached to is resolved. decision: null while it is not; a true match is a reject like any other (no tipping-off).
   */
  | { outcome: 'case'; case_id: string; decision: 'approve' | 'reject' | null }
  /** Nothing was kept, and the same request would be refused again. */
  | { outcome: 'refused'; reason: 'no_published_validation' | 'invalid_request'; detail: string }
  /** Nothing was kept: ask again after a while. */
  | { outcome: 'unavailable'; detail: string };

/** What each queue carries. */
export interface QueueMessages {
  sealing: SealingHint;
  'webhook-delivery': DeliveryHint;
  'webhook-replay': ReplayHint;
  rescreening: RescreeningHint;
  'screening-batch': ScreeningBatchHint;
  'envelope-batch': EnvelopeBatchHint;
  'step-run': StepRunHint;
  'screening-request': ScreeningRequestMessage;
  'screening-result': ScreeningResultMessage;
  'session-review': SessionReviewMessage;
  'session-review-result': SessionReviewResultMessage;
  'compliance-erasure': ErasureRequestMessage;
  'signing-erasure': ErasureRequestMessage;
  'erasure-result': ErasureResultMessage;
  'signer-identity': SignerIdentityMessage;
  'signer-identity-result': SignerIdentityResultMessage;
}
