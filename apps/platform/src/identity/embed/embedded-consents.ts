import { type EmbedProgress, EmbedTargets, type EnabledTarget } from '@constancia/embed-sessions';
import { PageFiles, pathUuid, type Tenant } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { StateConflict, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { PERSON_PAGES } from '../capture/capture-pages.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { lockPresentation, presentationRow } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { ConsentEmbedSession } from './embed-session.entity.ts';

/**
 * Embed sessions of kind wallet_consent: a person answers a request for their kept verification. What they show of it is what the tenant sees
 * of the request, at the same time.
 */
@Injectable()
export class EmbeddedConsents extends EmbedTargets<Presentation> {
  readonly kind = 'wallet_consent';
  readonly schema = 'identity';
  override readonly prefix = 'consent_';
  readonly row = ConsentEmbedSession;
  readonly idPrefix = 'wpr';
  readonly files = new PageFiles(PERSON_PAGES.folders);
  override readonly page = 'consent.html';
  readonly unknown = 'There is no request for a kept verification with this id.';

  constructor(
    readonly config: PlatformConfig,
    readonly database: IdentityDatabase,
  ) {
    super();
  }

  get pageAddress(): string {
    return this.config.personAddress;
  }

  async idOf(tenantId: string, id: string): Promise<string> {
    const presentationId = pathUuid('wpr', id);
    await this.database.tenant(tenantId, (tx) => presentationRow(tx, tenantId, presentationId));
    return presentationId;
  }

  /** A request that the person has declined without telling is pending, and can be shown. */
  async enable(
    tx: Tx,
    { id: tenantId }: Tenant,
    { targetId }: { targetId: string },
  ): Promise<EnabledTarget<Presentation>> {
    const target = await lockPresentation(tx, tenantId, targetId);
    if (target.channel === 'registered_contact' || target.session_id !== null) throw otherLink();
    const { end } = this.progressOf(target);
    if (end !== null) {
      const status = target.status === 'pending' ? 'expired' : target.status;
      throw new StateConflict(`The request is ${status}: there is nothing to answer.`, { status_of_request: status });
    }
    return { target, columns: {}, endsAt: target.expires_at };
  }

  read(tx: Tx, { tenant_id, target_id }: ConsentEmbedSession): Promise<Presentation> {
    return presentationRow(tx, tenant_id, target_id);
  }

  /** Nothing changes of the request: opening the frame is no answer. */
  async open(): Promise<void> {}

  /** Never `begun`: whether anybody has proved whose the wallet is says that there is one. */
  progressOf({ status, expires_at }: Presentation): EmbedProgress {
    const end = ENDS[status] ?? (expires_at.getTime() <= Date.now() ? 'expired' : null);
    return { step: end === null ? 'consent' : null, begun: false, end };
  }
}

const ENDS = {
  pending: null,
  approved: 'completed',
  declined: 'failed',
  cancelled: 'failed',
  expired: 'expired',
} as const satisfies Record<Presentation['status'], EmbedProgress['end']>;

/** The person got the link by mail, or on the capture page: nobody else may answer, or end the request by wrong codes. */
function otherLink(): ValidationError {
  const detail = 'A frame shows requests that you make with channel redirect or qr.';
  return new ValidationError([{ pointer: '/target_id', code: 'not_allowed', detail }]);
}
