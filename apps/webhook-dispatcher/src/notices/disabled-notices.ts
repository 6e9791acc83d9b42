import { eventRecord } from '@constancia/events';
import { mailAge, Mailer } from '@constancia/mail';
import { Database } from '@constancia/persistence';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { DispatcherConfig } from '../config.ts';
import { type DisabledEndpoint, disabledMail } from './disabled-mail.ts';

const EVERY_MS = 1_000;
const AT_ONCE = 20;

/**
 * Tells owners that an endpoint was disabled: by the event webhook.endpoint.disabled, once, to the tenant's other endpoints,
 * and by mail, until the mail server has taken it.
 */
@Injectable()
export class DisabledNotices extends PeriodicWork {
  constructor(
    private readonly database: Database,
    @Inject(Mailer) private readonly mailer: Mailer | null,
    private readonly config: DispatcherConfig,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'notices', everyMs: EVERY_MS, logger, easesOff: true, runsAtStart: true });
    mailAge(metrics, 'disabled_endpoint', () => this.oldestSeconds());
  }

  override async run(signal: AbortSignal): Promise<void> {
    const sql = 'select * from platform.claim_disabled_notices($1)';
    for (const endpoint of await this.database.query<DisabledEndpoint>(sql, [AT_ONCE])) {
      if (signal.aborted) return; // the others are claimed again when their lease ends
      await this.tell(endpoint);
    }
  }

  private async tell(endpoint: DisabledEndpoint): Promise<void> {
    const { endpoint_id, tenant_id, module, disabled_reason, disabled_at, owner_email } = endpoint;
    if (!endpoint.announced) {
      const event = disabledEvent(endpoint);
      await this.database.query('select platform.announce_disabled($1, $2, $3)', [endpoint_id, disabled_at, event]);
      this.logger.warn({ endpoint_id, tenant_id, module, reason: disabled_reason }, 'a webhook endpoint was disabled');
    }
    try {
      if (owner_email !== null) await this.mailer?.send(disabledMail(endpoint, owner_email, this.config));
    } catch (error) {
      this.logger.warn({ endpoint_id, error }, 'the owner of a disabled endpoint could not be notified yet');
      return;
    }
    await this.database.query('select platform.finish_disabled_notice($1, $2)', [endpoint_id, disabled_at]);
  }

  /** Of the owner who has been waiting for longest to be notified; 0 when none does. */
  private async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select platform.disabled_notice_lag() as lag');
    return row?.lag ?? 0;
  }
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
