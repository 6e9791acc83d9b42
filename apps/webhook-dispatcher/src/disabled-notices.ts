import { eventRecord } from '@constancia/events';
import type { Database } from '@constancia/persistence';
import type { Mail } from '@constancia/mail';
import type { Logger } from '@constancia/telemetry';
import { type DisabledEndpoint, disabledMail } from './disabled-mail.ts';

export const NOTICES_EVERY_MS = 1_000;
const AT_ONCE = 20;

/** The part of libs/mail that a notice needs. */
export interface NoticeMailer {
  send(mail: Mail): Promise<void>;
}

/**
 * Tells owners that an endpoint was disabled: by the event webhook.endpoint.disabled, once, to the tenant's other endpoints,
 * and by mail, until the mail server has taken it.
 */
export async function sendDisabledNotices(
  database: Database,
  mailer: NoticeMailer | null,
  { logger, keptDays }: { logger: Logger; keptDays: number },
): Promise<void> {
  const endpoints = await database.query<DisabledEndpoint>('select * from platform.claim_disabled_notices($1)', [
    AT_ONCE,
  ]);
  for (const endpoint of endpoints) {
    const { endpoint_id, tenant_id, module, disabled_reason, disabled_at } = endpoint;
    if (!endpoint.announced) {
      const event = disabledEvent(endpoint);
      await database.query('select platform.announce_disabled($1, $2, $3)', [endpoint_id, disabled_at, event]);
      logger.warn({ endpoint_id, tenant_id, module, reason: disabled_reason }, 'a webhook endpoint was disabled');
    }
    try {
      await mailer?.send(disabledMail(endpoint, keptDays));
    } catch (error) {
      logger.warn({ endpoint_id, error }, 'the owner of a disabled endpoint could not be told yet');
      continue;
    }
    await database.query('select platform.finish_disabled_notice($1, $2)', [endpoint_id, disabled_at]);
  }
}

/** Of the owner who has been waiting for longest to be told; 0 when none does. */
export async function oldestNoticeSeconds(database: Database): Promise<number> {
  const [row] = await database.query<{ lag: number }>('select platform.disabled_notice_lag() as lag');
  return row?.lag ?? 0;
}

function disabledEvent(endpoint: DisabledEndpoint): string {
  const record = eventRecord({
    tenantId: endpoint.tenant_id,
    module: endpoint.module,
    type: 'webhook.endpoint.disabled',
    occurredAt: endpoint.disabled_at,
    payload: {
      module: endpoint.module,
      url: endpoint.url,
      reason: endpoint.disabled_reason,
      disabled_at: endpoint.disabled_at.toISOString(),
      first_failure_at: endpoint.first_failure_at?.toISOString() ?? null,
    },
  });
  return JSON.stringify(record);
}
