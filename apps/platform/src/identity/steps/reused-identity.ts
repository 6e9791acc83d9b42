import { CreditLedger } from '@constancia/credit-ledger';
import { typeId, uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import {
  KycRejected,
  referenced,
  StateConflict,
  UnknownReference,
  UnprocessableEntity,
} from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { lockPresentation } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { endPendingRequests, requestsOfSession } from '../presentations/session-requests.ts';
import type { ReleasedClaims } from '../presentations/released-claims.ts';
import { TenantPresentations } from '../presentations/tenant-presentations.ts';
import type { StepType } from '../flows/step-types.ts';
import { FlowSessionRow } from '../sessions/flow-session.entity.ts';
import type { SessionContext } from '../sessions/session-context.ts';
import type { FlowSession, SessionColumns } from '../sessions/session-row.ts';
import { SignerCheck } from '../signers/signer-check.entity.ts';
import type { Subject } from '../subjects/subject.entity.ts';
import { Subjects } from '../subjects/subjects.ts';
import { isUsable, reusableSteps, reuseRefusal } from './reuse-policy.ts';

const POINTER = '/input/reuse_presentation_id';
const UNKNOWN = 'There is no request for a kept verification with this id.';

/** A kept verification that stands for steps of a session. */
export interface Reuse {
  steps: StepType[];
  /** Of those steps. */
  answers: SessionContext;
  columns: SessionColumns;
  /** For the trail. */
  evidence: Record<string, unknown>;
}

/** A session at its consent, whose subject gave a verification on request. */
interface Taking {
  session: FlowSession;
  subject: Subject;
  /** The id of the request, as it was sent; undefined: what the person gave on the page of this session, if they did. */
  presentation: string | undefined;
}

/** Lets an approved request for a kept verification stand for the document and the face of one session. It was paid for when it was approved. */
@Injectable()
export class ReusedIdentity {
  constructor(
    private readonly subjects: Subjects,
    private readonly presentations: TenantPresentations,
    private readonly ledger: CreditLedger,
  ) {}

  /**
   * The session's row must be held; the request's is from here on, so that it stands for one session. Null: there is none. Throws
   * UnknownReference, StateConflict (it is not approved, was withdrawn or used), UnprocessableEntity (it does not fit this session),
   * KycRejected (the flow's policy).
   */
  async take(tx: Tx, { session, subject, presentation: named }: Taking): Promise<Reuse | null> {
    const presentation = named ?? (await givenOnPage(tx, session));
    if (presentation === undefined) return null;
    const steps = reusableSteps(session.steps, session.current_step ?? 0);
    if (steps.length === 0) throw new UnprocessableEntity('The flow has no document or face that it could stand for.');
    const id = uuidOf('wpr', presentation);
    if (id === null) throw new UnknownReference(POINTER, UNKNOWN);
    const row = await referenced(POINTER, UNKNOWN, lockPresentation(tx, session.tenant_id, id));
    await checkUsable(tx, session, row);
    const claims = await this.fitting(tx, session, subject, row);
    const { level, verified_at: verifiedAt } = row;
    if (level === null || verifiedAt === null) throw new Error('an approved request has a verification');
    const refusal = reuseRefusal(session.steps, { level, verifiedAt, maxAgeDays: row.max_age_days }, new Date());
    if (refusal) {
      const detail = `${refusal.detail} The session goes on without it: take its steps.`;
      throw new KycRejected(detail, { reason: refusal.reason });
    }
    const { full_name: fullName = null, birth_date: birthDate = null } = claims;
    await this.subjects.learn(tx, subject, { fullName, birthDate });
    const facts = { presentation_id: typeId('wpr', id), level, verified_at: verifiedAt.toISOString() };
    return {
      steps,
      answers: Object.fromEntries(steps.map((step) => [step, { reused: true, ...facts }])),
      columns: { presentation_id: id },
      evidence: { ...facts, steps },
    };
  }

  /** The person takes the steps: a request that the page of the session made is not needed any more. Last in its transaction. */
  forgo(tx: Tx, session: FlowSession): Promise<void> {
    return endPendingRequests(tx, this.ledger, session);
  }

  /** What the person gave, when it is about the person of this session and has what a screening looks for. */
  private async fitting(tx: Tx, session: FlowSession, subject: Subject, row: Presentation): Promise<ReleasedClaims> {
    if (row.subject_id !== subject.id) {
      throw new UnprocessableEntity('It is about another customer: give both the same external_ref.');
    }
    const claims = await this.presentations.claims(tx, row);
    const known = await this.subjects.open(tx, subject);
    if (claims?.full_name === undefined || claims.document_number === undefined) {
      throw new UnprocessableEntity('It has no name or no document number: ask for full_name and document_number.');
    }
    const same =
      claims.document_number === known?.documentNumber &&
      [session, subject].every(
        ({ document_type, document_country }) =>
          document_type === claims.document_type && document_country === claims.document_country,
      );
    if (!same) throw new UnprocessableEntity('It is about another document than that of the session.');
    return claims;
  }
}

async function checkUsable(
  tx: Tx,
  session: FlowSession,
  { id, status, consent_revoked_at, session_id }: Presentation,
): Promise<void> {
  if (status !== 'approved') {
    throw new StateConflict(`The request is ${status}: only an approved one can be used.`, {
      status_of_request: status,
    });
  }
  if (consent_revoked_at !== null) throw new StateConflict('The person has withdrawn the consent.');
  if (await tx.manager.existsBy(FlowSessionRow, { presentation_id: id }))
    throw new StateConflict('The request stands for another session: make a new one.');
  if (session_id === session.id) return;
  if (session_id !== null) throw new UnprocessableEntity('It was given for another session.');
  if (await tx.manager.existsBy(SignerCheck, { session_id: session.id }))
    throw new UnprocessableEntity('A signer gives a kept verification on the page of the session.');
}

async function givenOnPage(tx: Tx, session: FlowSession): Promise<string | undefined> {
  const requests = await requestsOfSession(tx, session);
  const given = requests.find((row) => isUsable(row, session.steps, new Date()));
  return given && typeId('wpr', given.id);
}
