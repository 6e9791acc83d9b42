import type { FlowStep } from '../flows/step-types.ts';
import type { LastOutcome, SessionStatus } from './session-states.ts';

/** A decision of ours that the compliance module has not confirmed yet. */
export interface CaseRequest {
  request_id: string;
  decision: 'approve' | 'reject';
  reason: string;
  actor: string;
  /** Of the request that decided. */
  traceparent?: string | null;
}

/** A row of identity.flow_session, with its flow's version. Ids are UUIDs; screening_id and case_id TypeIDs of compliance. */
export interface FlowSession {
  id: string;
  tenant_id: string;
  flow_id: string;
  subject_id: string;
  external_ref: string | null;
  document_type: string;
  document_country: string;
  /** Sandbox only: the trigger that its document number is. */
  trigger: string | null;
  status: SessionStatus;
  current_step: number | null;
  attempts: Record<string, number>;
  last_outcome: LastOutcome | null;
  last_reason: string | null;
  rejection_reason: string | null;
  flags: string[];
  sealed_context: Buffer | null;
  list_hits: string[];
  screening_id: string | null;
  case_id: string | null;
  case_request: CaseRequest | null;
  /** A review was made that is not carried out yet. */
  pending_approval: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  /** When it ended, well or not. */
  completed_at: Date | null;
  steps: FlowStep[];
  flow_code: string;
  flow_type: string;
  flow_version: number;
}

/** Columns that a change of a session may write. */
export type SessionColumns = Partial<
  Pick<
    FlowSession,
    | 'status'
    | 'current_step'
    | 'attempts'
    | 'last_outcome'
    | 'last_reason'
    | 'rejection_reason'
    | 'flags'
    | 'sealed_context'
    | 'list_hits'
    | 'screening_id'
    | 'case_id'
    | 'case_request'
    | 'pending_approval'
    | 'completed_at'
  >
>;

/** The step that a session stands at; undefined when it is over. */
export function currentStep(session: Pick<FlowSession, 'steps' | 'current_step'>): FlowStep | undefined {
  return session.current_step === null ? undefined : session.steps[session.current_step];
}
