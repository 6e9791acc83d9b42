import type { PersonLocale } from '@constancia/contracts';
import { EmbedTargets, type EmbedBearer, type EmbedProgress, type EnabledTarget } from '@constancia/embed-sessions';
import { PageFiles, pathUuid, type Tenant } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { PERSON_PAGES } from '../capture/capture-pages.ts';
import { CaptureSessions } from '../capture/capture-sessions.ts';
import { CaptureTokens } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { lockSession, sessionRow } from '../sessions/session-changes.ts';
import { currentStep, type FlowSession } from '../sessions/session-row.ts';
import { Sessions } from '../sessions/sessions.ts';
import { EmbedSession } from './embed-session.entity.ts';
import type { FlowEmbedBearer } from './flow-embed-tokens.ts';

/** Embed sessions of kind flow: the capture page of a flow session, in a frame that is one of its devices. */
@Injectable()
export class EmbeddedFlows extends EmbedTargets<FlowSession> {
  readonly kind = 'flow';
  readonly schema = 'identity';
  readonly row = EmbedSession;
  readonly idPrefix = 'fls';
  readonly files = new PageFiles(PERSON_PAGES.folders);
  readonly unknown = 'There is no flow session with this id.';

  constructor(
    readonly config: PlatformConfig,
    readonly database: IdentityDatabase,
    private readonly sessions: Sessions,
    private readonly captures: CaptureSessions,
    private readonly tokens: CaptureTokens,
  ) {
    super();
  }

  get pageAddress(): string {
    return this.config.personAddress;
  }

  /** A flow session whose time is over is expired first. */
  async idOf(tenantId: string, id: string): Promise<string> {
    const sessionId = pathUuid('fls', id);
    await this.sessions.expire(tenantId, sessionId);
    return sessionId;
  }

  async enable(
    tx: Tx,
    tenant: Tenant,
    { id, targetId, locale }: { id: string; targetId: string; locale: PersonLocale | null },
  ): Promise<EnabledTarget<FlowSession>> {
    const target = await lockSession(tx, tenant.id, targetId);
    if (!currentStep(target))
      throw new StateConflict(`The flow session is ${target.status}: there is nothing to show.`);
    const capture = { session_id: targetId, tenant_id: tenant.id, tenant_name: tenant.displayName, return_url: null };
    await this.tokens.enable(tx, { ...capture, locale: locale ?? 'es-CO' }, id);
    return { target, columns: {} };
  }

  read(tx: Tx, { tenant_id, target_id }: EmbedSession): Promise<FlowSession> {
    return sessionRow(tx, tenant_id, target_id);
  }

  async open(tx: Tx, bearer: EmbedBearer): Promise<void> {
    await this.captures.claimWithin(tx, bearer as FlowEmbedBearer);
  }

  progressOf(session: FlowSession): EmbedProgress {
    const { status, current_step, last_outcome } = session;
    return {
      step: currentStep(session)?.step_type ?? null,
      begun: current_step !== 0 || last_outcome !== null,
      end: status === 'failed' ? 'failed' : status === 'in_progress' ? null : 'completed',
    };
  }
}
