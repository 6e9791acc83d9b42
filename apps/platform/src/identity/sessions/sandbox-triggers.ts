import type { DocumentStepResult, Environment, FaceStepResult, StepOutcome } from '@constancia/contracts';
import type { RunType } from './step-run.entity.ts';

/** How a run of a triggered session ends. */
export interface Scripted {
  outcome: StepOutcome;
  reason: string | null;
}

const PASS: Scripted = { outcome: 'pass', reason: null };

/** By kind of work: how each attempt ends; the last entry goes on for all that follow. Work that is not named passes. */
type Script = Partial<Record<RunType, Scripted[]>>;

export interface SandboxTrigger {
  name: string;
  /** A cédula de ciudadanía (type CC, country CO) of a range that is not issued. */
  documentNumber: string;
  /** What the session comes to, for the guide. */
  outcome: string;
  script: Script;
}

/**
 * Document numbers that make a sandbox session's outcome predictable. No picture is looked at, no screening is made: the runs,
 * their credits, states, answers and events are those of every other session.
 */
export const SANDBOX_TRIGGERS: readonly SandboxTrigger[] = [
  { name: 'approve', documentNumber: '1999000001', outcome: 'completed; subject.verified', script: {} },
  {
    name: 'review',
    documentNumber: '1999000002',
    outcome: 'manual_review at sarlaft; flow.session.manual_review',
    script: { sarlaft: [{ outcome: 'review', reason: 'sandbox' }] },
  },
  {
    name: 'reject',
    documentNumber: '1999000003',
    outcome: 'failed at face_match: 422 kyc-rejected, rejection_reason other_person; subject.rejected',
    script: { face: [{ outcome: 'reject', reason: 'other_person' }] },
  },
  {
    name: 'retry',
    documentNumber: '1999000004',
    outcome: 'the first document_upload answers 422 blurred and the first face_match 422 no_face; the second ones pass',
    script: {
      document: [{ outcome: 'retry', reason: 'blurred' }, PASS],
      face: [{ outcome: 'retry', reason: 'no_face' }, PASS],
    },
  },
  {
    name: 'engine_error',
    documentNumber: '1999000005',
    outcome: 'the first face_match answers 503 dependency-unavailable, its credits come back; the second one passes',
    script: { face: [{ outcome: 'error', reason: 'engine_failure' }, PASS] },
  },
  {
    name: 'attempts_used_up',
    documentNumber: '1999000006',
    outcome: 'every document_upload answers 422 unreadable, the last one 422 kyc-rejected: too_many_attempts',
    script: { document: [{ outcome: 'retry', reason: 'unreadable' }] },
  },
  {
    name: 'sarlaft_reject',
    documentNumber: '1999000007',
    outcome: 'failed at sarlaft: 422 kyc-rejected, rejection_reason sarlaft; subject.rejected',
    script: { sarlaft: [{ outcome: 'reject', reason: 'sarlaft' }] },
  },
  {
    name: 'doubtful_name',
    documentNumber: '1999000008',
    outcome: 'the document is flagged: every step passes and the session ends in manual_review',
    script: { document: [{ outcome: 'review', reason: 'name_unconfirmed' }] },
  },
];

/**
 * The trigger that a session's document is. None in a production deployment, and none for a tenant of one, whatever the number.
 */
export function triggerOf(
  where: { deployment: Environment; tenant: Environment },
  document: { type: string; country: string; number: string },
): SandboxTrigger | undefined {
  if (where.deployment !== 'sandbox' || where.tenant !== 'sandbox') return undefined;
  if (document.type !== 'CC' || document.country !== 'CO') return undefined;
  return SANDBOX_TRIGGERS.find(({ documentNumber }) => documentNumber === document.number);
}

/** How an attempt (from 1) of a triggered session ends. */
export function scripted(trigger: string, type: RunType, attempt: number): Scripted {
  const script = SANDBOX_TRIGGERS.find(({ name }) => name === trigger)?.script[type] ?? [PASS];
  return script[Math.min(attempt, script.length) - 1] ?? PASS;
}

/** Written where an engine writes its name: nobody can take a triggered result for a real one. */
export const SANDBOX_ENGINE = 'sandbox-trigger';

/** What a triggered run found: a fictional person. */
export function scriptedResult(
  type: RunType,
  { reason, outcome }: Scripted,
): DocumentStepResult | FaceStepResult | null {
  const reasons = reason === null ? [] : [reason];
  if (type === 'document') return { ...FICTIONAL_DOCUMENT, name_trusted: outcome === 'pass', reasons };
  if (type === 'face') return { ...FICTIONAL_FACE, reasons };
  return null;
}

const field = (value: string) => ({ value, source: 'sandbox', confidence: 1, checks: [], trusted: true });

const FICTIONAL_DOCUMENT: DocumentStepResult = {
  v: 1,
  kind: 'cc_yellow',
  fields: {
    surnames: field('PRUEBA FICTICIA'),
    given_names: field('PERSONA'),
    birth_date: field('1990-01-01'),
  },
  name_trusted: true,
  reasons: [],
  quality: [],
  took_ms: 0,
};

const FICTIONAL_FACE: FaceStepResult = {
  v: 1,
  score: null,
  raw_metric: null,
  thresholds: null,
  liveness: { mode: 'basic', passed: null, score: null, signals: [] },
  reasons: [],
  took_ms: 0,
};
