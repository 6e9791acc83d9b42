import { WALLET_RECOVERY_CHECKS } from '@constancia/contracts';
import { drainBacklog, IndependentWork, typeId } from '@constancia/kernel';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { revokeCredentials } from '../credentials/end-credentials.ts';
import { WalletMails } from '../wallet-mails.ts';
import { COOLING_HOURS } from './recovery-mails.ts';
import { WalletRecoveries } from './wallet-recoveries.ts';

const EVERY_MS = 5_000;
const BATCH = 50;

interface Due {
  id: string;
  wallet_id: string;
}

/**
 * What happens to recoveries without anybody asking: the time in which they can be cancelled begins, and ends; checks that nobody works on and
 * recoveries that nobody went on with end. Every platform process does it; a step is one transaction under the lock of the recovery's row, so
 * that one of them does it, or the person who cancels.
 */
@Injectable()
export class RecoverySweep extends PeriodicWork {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly recoveries: WalletRecoveries,
    private readonly mails: WalletMails,
    logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'wallet-recoveries', everyMs: EVERY_MS, logger });
    const help = 'How long the longest overdue step of a recovery of a wallet is overdue';
    metrics.gauge('wallet_recovery_lag_seconds', help, [], async (gauge) => {
      const [row] = await database.query<{ lag: number }>('select identity.wallet_recovery_lag() as lag');
      gauge.set(row?.lag ?? 0);
    });
  }

  override async run(signal: AbortSignal): Promise<void> {
    const { database } = this;
    const work = new IndependentWork();
    const drain = (list: string, handle: (due: Due) => Promise<boolean>) =>
      work.attempt(() =>
        drainBacklog<Due>({
          batch: BATCH,
          due: (limit) => database.query<Due>(`select * from identity.${list}($1)`, [limit]),
          handle,
          about: ({ id }) => ({ recovery_id: typeId('wrc', id) }),
          signal,
        }),
      );
    await work.attempt(() =>
      database.query('select identity.expire_recoveries($1, $2)', [BATCH, WALLET_RECOVERY_CHECKS]),
    );
    await drain('recoveries_to_cool', (due) => this.cool(due));
    await drain('recoveries_to_complete', (due) => this.complete(due));
    work.throwFirstFailure();
  }

  /** The time in which it can be cancelled begins. False: it has begun already, or the recovery is over. */
  cool({ id, wallet_id }: { id: string; wallet_id: string | null }): Promise<boolean> {
    const params = [id, wallet_id, COOLING_HOURS];
    return this.step('select identity.cool_recovery($1, $2, $3) as done', params, 'cooling');
  }

  /** Passkeys, sessions and credentials of before end. */
  private async complete({ id, wallet_id }: Due): Promise<boolean> {
    const done = await this.database.wallet(wallet_id, async (tx) => {
      const sql = 'select identity.complete_recovery($1, $2) as done';
      const [row] = await tx.query<{ done: 'completed' | 'rejected' | null }>(sql, [id, wallet_id]);
      if (row?.done === 'completed') await revokeCredentials(tx, wallet_id);
      return row?.done ?? null;
    });
    return done !== null && this.noted(done);
  }

  private async step(sql: string, params: unknown[], outcome: string): Promise<boolean> {
    const [row] = await this.database.query<{ done: boolean }>(sql, params);
    return row?.done === true && this.noted(outcome);
  }

  private noted(outcome: string): true {
    this.recoveries.count(outcome);
    this.mails.wake();
    return true;
  }
}
