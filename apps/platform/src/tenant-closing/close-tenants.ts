import { AuditLog } from '@constancia/auth';
import { RETENTION_PERIODS } from '@constancia/contracts';
import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { OwnerNotices } from '../owner-notices/owner-notices.ts';
import type { TenantRetention } from '../tenant-settings/tenant-retention.entity.ts';

const EVERY_MS = 60_000;
const BATCH = 20;
const REMIND_DAYS = 7;

const { identity, compliance, signing } = RETENTION_PERIODS;

/** The least that the law obliges each module to keep; the sweeps of the modules forget the rest. */
const LEGAL_MINIMUM = {
  identity_image_days: identity.image_days.min,
  identity_session_days: identity.session_days.min,
  compliance_blocked_days: compliance.blocked_days.min,
  signing_unsealed_envelope_days: signing.unsealed_envelope_days.min,
} satisfies Partial<TenantRetention>;

interface Due {
  tenant_id: string;
}

interface Closed {
  credits_left: string;
  credits_held: string;
}

/**
 * Reminds owners, and closes tenants whose time to reconsider is over, one transaction each. Every platform process does it: who finds a
 * tenant's row held leaves it to the other process, or to its next run.
 */
@Injectable()
export class CloseTenants extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly notices: OwnerNotices,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'close-tenants', everyMs: EVERY_MS, logger });
    metrics.gauge('tenant_closing_lag_seconds', 'How long the closing of a tenant is overdue', [], async (gauge) => {
      const [row] = await database.query<{ lag: number }>('select platform.closing_lag() as lag');
      gauge.set(row?.lag ?? 0);
    });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    const work = new IndependentWork();
    const each = async (sql: string, params: unknown[], act: (tenantId: string) => Promise<void>) => {
      for (const { tenant_id } of await this.database.query<Due>(sql, params)) {
        if (signal?.aborted) return;
        await work.attempt(() => act(tenant_id), { tenant_id });
      }
    };
    const remind = (id: string) => this.remind(id);
    const close = (id: string) => this.close(id);
    await work.attempt(() => each('select * from platform.closings_to_remind($1, $2)', [REMIND_DAYS, BATCH], remind));
    await work.attempt(() => each('select * from platform.closings_due($1)', [BATCH], close));
    this.notices.wake();
    work.throwFirstFailure();
  }

  private async remind(tenantId: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) => tx.query('select platform.remind_closing($1)', [tenantId]));
  }

  private async close(tenantId: string): Promise<void> {
    const closed = await this.database.tenant(tenantId, async (tx) => {
      const [row] = await tx.query<Closed>('select * from platform.close_tenant($1, $2)', [tenantId, LEGAL_MINIMUM]);
      if (row === undefined) return false;
      const principal = { tenantId, system: 'closing' };
      const after = { credits_left: Number(row.credits_left), credits_held: Number(row.credits_held) };
      const object = { kind: 'tenant', id: null };
      await AuditLog.record(tx, { principal, action: 'tenant.closed', object, after, origin: null });
      return true;
    });
    if (closed) this.logger.info({ tenant_id: tenantId }, 'a tenant was closed: its time to reconsider was over');
  }
}
