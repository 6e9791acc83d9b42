import type { CaptureClaim, CaptureHandover, CaptureState } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { type CaptureBearer, captureOf, CaptureTokens } from '../hosted/capture-tokens.ts';
import { tenantOnPage } from '../hosted/tenant-on-page.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { forCaller } from '../sessions/person-view.ts';
import type { SessionCaller } from '../sessions/session-access.ts';
import { lockSession, sessionRow } from '../sessions/session-changes.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import { appendTrail } from '../sessions/session-trail.ts';
import { Sessions } from '../sessions/sessions.ts';
import { CaptureReuse } from './capture-reuse.ts';
import { captureState } from './capture-state.ts';

/** Hosted sessions, as the devices that they are taken on see and pass them. */
@Injectable()
export class CaptureSessions {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly sessions: Sessions,
    private readonly tokens: CaptureTokens,
    private readonly reuse: CaptureReuse,
  ) {}

  /** Where the session stands. One whose time is over is written down as such first. Throws NotFound when it is not hosted. */
  async state(bearer: CaptureBearer): Promise<CaptureState> {
    const { tenantId, sessionId } = bearer;
    await this.sessions.expire(tenantId, sessionId);
    return this.database.tenant(tenantId, async (tx) => {
      const session = await sessionRow(tx, tenantId, sessionId);
      const capture = { ...(await captureOf(tx, bearer)), ...bearer.shown };
      const tenant = await tenantOnPage(tx, tenantId, capture.tenant_name);
      const reuse = await this.reuse.offer(tx, session);
      return captureState(session, { capture, tenant, device: bearer.device, reuse });
    });
  }

  /** Asks the person for a verification that they keep. */
  async askForKept(bearer: CaptureBearer): Promise<CaptureState> {
    const caller = activeCaller(bearer);
    await forCaller(caller, () => this.reuse.ask(bearer));
    return this.state(bearer);
  }

  /** The device has the session from now on. */
  async claim(bearer: CaptureBearer): Promise<CaptureClaim> {
    const token = await this.database.tenant(bearer.tenantId, (tx) => this.claimWithin(tx, bearer));
    return { token, state: await this.state({ ...bearer, device: 'active' }) };
  }

  /** `claim`, in the caller's transaction. Answers a token of its own for the link of a handover. */
  async claimWithin(tx: Tx, bearer: CaptureBearer): Promise<string | null> {
    if (bearer.device === 'active') return this.tokens.claim(tx, bearer);
    const session = await lockSession(tx, bearer.tenantId, bearer.sessionId); // before its tokens, as a cancellation locks them
    const claimed = await this.tokens.claim(tx, bearer);
    await recordDevice(tx, bearer, session, 'device_changed');
    return claimed;
  }

  /** A link that another device takes the session over with. Throws StateConflict when it is over, or was handed over too often. */
  async handOver(bearer: CaptureBearer): Promise<CaptureHandover> {
    requireOpened(bearer);
    const { url, expiresAt } = await this.database.tenant(bearer.tenantId, async (tx) => {
      const session = await lockSession(tx, bearer.tenantId, bearer.sessionId);
      const handover = await this.tokens.handOver(tx, bearer);
      const recorded = await recordDevice(tx, bearer, session, 'handed_over');
      if (!recorded) throw new StateConflict('The session is over: there is nothing to go on with.');
      return handover;
    });
    return { url, expires_at: expiresAt.toISOString() };
  }
}

/** The session's caller, of the device that has it. Throws StateConflict on any other. */
export function activeCaller(bearer: CaptureBearer): SessionCaller {
  requireOpened(bearer);
  if (bearer.device !== 'active') throw new StateConflict('Another device has the session: take it back first.');
  return callerOf(bearer);
}

const callerOf = ({ tenantId, sessionId }: CaptureBearer): SessionCaller => ({
  tenantId,
  sessionId,
  actor: 'subject',
  by: { kind: 'session', id: sessionId, name: 'subject' },
  bearer: true,
});

function requireOpened({ device }: CaptureBearer): void {
  if (device === 'unopened') throw new StateConflict('This is the link of a handover: open it first.');
}

/** Writes it into the trail of a session in progress, whose row is held; false when it is over. */
async function recordDevice(
  tx: Tx,
  bearer: CaptureBearer,
  session: FlowSession,
  type: 'handed_over' | 'device_changed',
): Promise<boolean> {
  const { tenantId, sessionId, actor, by } = callerOf(bearer);
  const step = currentStep(session);
  if (!step) return false;
  const { status } = session;
  await appendTrail(tx, { tenantId, sessionId }, [
    { type, actor, step: step.step_type, from: status, to: status, data: { by } },
  ]);
  return true;
}
