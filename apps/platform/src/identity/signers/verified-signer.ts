import type { VerifiedSigner } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import type { Flow } from '../flows/flow.entity.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import type { StepRun } from '../sessions/step-run.entity.ts';
import { isAccepted } from '../sessions/step-run.ts';

/** The runs that verify a signer. */
const EXAMINED = ['document', 'face'] as const;

/** What a completed session states about a signer. */
export interface CompletedSession {
  session: FlowSession;
  flow: Pick<Flow, 'type' | 'code' | 'version'>;
  runs: readonly StepRun[];
  /** The request whose answer stands for document and face; null: the person took the steps. */
  kept: Pick<Presentation, 'level' | 'verified_at' | 'proved_by'> | null;
  /** Of the subject's record; null: erased, or the document did not tell. */
  fullName: string | null;
}

/** The evidence of a completed session; null when it does not state a name, or has neither document and face nor a kept verification. */
export function verifiedSigner({ session, flow, runs, kept, fullName }: CompletedSession): VerifiedSigner | null {
  const how = kept === null ? examined(session, runs) : presented(kept);
  if (how === null || fullName === null || session.completed_at === null) return null;
  return {
    full_name: fullName,
    document_type: session.document_type,
    document_country: session.document_country,
    ...how,
    verified_at: session.completed_at.toISOString(),
    flow: { type: flow.type, code: flow.code, version: flow.version },
    session_id: typeId('fls', session.id),
  };
}

type How = Pick<VerifiedSigner, 'methods' | 'liveness' | 'kept'>;

function examined({ steps }: FlowSession, runs: readonly StepRun[]): How | null {
  const accepted = runs.filter(isAccepted);
  const methods = EXAMINED.filter((method) => accepted.some((run) => run.step_type === method));
  const face = steps.find(({ step_type }) => step_type === 'face_match');
  if (methods.length !== EXAMINED.length || face?.step_type !== 'face_match') return null;
  return { methods, liveness: face.config.liveness_mode };
}

function presented({ level, verified_at, proved_by }: NonNullable<CompletedSession['kept']>): How | null {
  if (level === null || verified_at === null || proved_by === null) return null;
  return { methods: ['wallet'], liveness: null, kept: { level, verified_at: verified_at.toISOString(), proved_by } };
}
