import type { CaptureState } from '@constancia/contracts';
import { requestFingerprint } from '@constancia/idempotency';
import { typeId } from '@constancia/kernel';
import { Problem } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { CaptureBearer } from '../hosted/capture-tokens.ts';
import { forCaller } from '../sessions/person-view.ts';
import { AdvanceSession } from '../steps/advance-session.ts';
import { ADVANCE_ROUTE } from '../steps/advance-controller.ts';
import { activeCaller, CaptureSessions } from './capture-sessions.ts';

export interface CaptureStepCall {
  input: object;
  /** The Idempotency-Key. */
  key: string | undefined;
  requestId: string;
  ip: string;
  userAgent: string | undefined;
}

/** Takes the steps of a hosted session, as POST /v1/flows/sessions/{id}/advance does. */
@Injectable()
export class CaptureAdvances {
  constructor(
    private readonly sessions: CaptureSessions,
    private readonly session: AdvanceSession,
  ) {}

  /**
   * Answers where the session stands then: also when the step has to be taken again, or ended it. Throws the problems that say nothing
   * about the person: ValidationError, StateConflict, NotFound, KeyReusedError, InsufficientCreditsError, DependencyUnavailable.
   */
  async advance(bearer: CaptureBearer, { input, key, userAgent, ...call }: CaptureStepCall): Promise<CaptureState> {
    const caller = activeCaller(bearer);
    const params = { id: typeId('fls', caller.sessionId) };
    const fingerprint = () => requestFingerprint({ method: 'POST', route: ADVANCE_ROUTE, params, body: { input } });
    await forCaller(caller, () =>
      this.session.advance({
        ...call,
        ...caller,
        input,
        idempotency: key === undefined ? undefined : { key, fingerprint: fingerprint() },
        userAgent: userAgent?.slice(0, 400) ?? null,
      }),
    ).catch(unlessToldByState);
    return this.sessions.state(bearer);
  }
}

/** That a step has to be taken again, or that it ended the session, the state says. */
function unlessToldByState(error: unknown): void {
  if (error instanceof Problem && (error.slug === 'kyc-rejected' || isRetry(error))) return;
  throw error;
}

/** What can be tried again states the attempts that are left; an Idempotency-Key of another request does not. */
const isRetry = ({ slug, members }: Problem) => slug === 'unprocessable-entity' && 'attempts_left' in members;
