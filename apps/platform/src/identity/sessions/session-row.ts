import type { Flow } from '../flows/flow.entity.ts';
import type { FlowStep } from '../flows/step-types.ts';
import type { FlowSessionRow } from './flow-session.entity.ts';

/** A session with the steps of its flow's version. */
export type FlowSession = FlowSessionRow & Pick<Flow, 'steps'>;

/** Columns that a change of a session may write. */
export type SessionColumns = Partial<
  Pick<
    FlowSessionRow,
    | 'status'
    | 'current_step'
    | 'attempts'
    | 'last_outcome'
    | 'last_reason'
    | 'rejection_reason'
    | 'flags'
    | 'sealed_context'
    | 'presentation_id'
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
