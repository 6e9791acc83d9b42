import { CreditLedger } from '@constancia/credit-ledger';
import { emitEvent } from '@constancia/events';
import { drainBacklog, IndependentWork } from '@constancia/kernel';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { WalletMails } from '../wallet/wallet-mails.ts';
import { endedEvent } from './presentation-events.ts';
import { endPresentation, lockPresentation, releaseHold } from '../presentations/presentation-rows.ts';

const EVERY_MS = 5_000;
const BATCH = 50;

interface Due {
  tenant_id: string;
  id: string;
}

/**
 * What requests need that nobody waits for: the asked persons are looked up, and mailed; requests whose time is over end, and give their
 * credits back. An unknown person's ends as a known one's.
 */
@Injectable()
export class PresentationSweep extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly ledger: CreditLedger,
    private readonly mails: WalletMails,
    logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'wallet-presentations', everyMs: EVERY_MS, logger });
    const help = 'How long the longest overdue look-up or end of a request for a kept verification is overdue';
    metrics.gauge('wallet_presentation_lag_seconds', help, [], async (gauge) => {
      const [row] = await database.query<{ lag: number }>('select identity.presentation_lag() as lag');
      gauge.set(row?.lag ?? 0);
    });
  }

  override async run(signal: AbortSignal): Promise<void> {
    const work = new IndependentWork();
    await work.attempt(() => this.route(signal));
    await work.attempt(() =>
      drainBacklog<Due>({
        batch: BATCH,
        due: (limit) => this.database.query<Due>('select * from identity.overdue_presentations($1)', [limit]),
        handle: ({ tenant_id, id }) => this.expire(tenant_id, id),
        about: ({ tenant_id, id }) => ({ tenant_id, presentation_id: id }),
        signal,
      }),
    );
    await work.attempt(() => this.database.query('select identity.delete_old_discoveries()'));
    work.throwFirstFailure();
  }

  private async route(signal: AbortSignal): Promise<void> {
    for (let routed = BATCH; routed === BATCH && !signal.aborted;) {
      const [row] = await this.database.query<{ routed: number }>('select identity.route_presentations($1) as routed', [
        BATCH,
      ]);
      routed = row?.routed ?? 0;
      if (routed > 0) this.mails.wake();
    }
  }

  /** False: it was ended meanwhile. */
  private expire(tenantId: string, id: string): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      const presentation = await lockPresentation(tx, tenantId, id);
      if (presentation.status !== 'pending' || presentation.expires_at > new Date()) return false;
      await endPresentation(tx, presentation, { status: 'expired' });
      await emitEvent(tx, endedEvent(presentation, 'expired'));
      await releaseHold(tx, this.ledger, presentation);
      return true;
    });
  }
}
