import type { LedgerReader } from '@constancia/credit-ledger';
import { PeriodicTask } from '@constancia/kernel';
import type { Logger, Metrics } from '@constancia/telemetry';

const EVERY_MS = 5_000;
/** What one look reads at the most: so many tenants, and so many entries of each. */
const TENANTS = 100;
const ENTRIES = 200;

/**
 * Goes round all tenants, a hundred at a time, and tells how far the ledger is from itself (`ledger_drift_credits`): 0, or somebody is
 * woken. What a look costs does not grow with the ledger. Every platform process does it.
 */
export class LedgerWatch {
  private readonly task: PeriodicTask;
  private after: string | null = null;
  /** In credits: of the last whole round, and of this one so far. */
  private lastRound = 0;
  private thisRound = 0;
  private lookedAt = Date.now();
  private readonly drift;

  constructor(
    private readonly ledger: Pick<LedgerReader, 'drift'>,
    private readonly logger: Pick<Logger, 'error' | 'warn'>,
    metrics: Metrics,
  ) {
    this.task = new PeriodicTask({ name: 'watch-ledger', everyMs: EVERY_MS, logger, run: () => this.look() });
    this.drift = metrics.gauge(
      'ledger_drift_credits',
      'Credits by which accounts differ from their entries: must be 0',
    );
    metrics.gauge('ledger_check_age_seconds', 'Since accounts were last compared with their entries', [], (gauge) =>
      gauge.set((Date.now() - this.lookedAt) / 1_000),
    );
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Looks at the next tenants. Never throws: the next round tries again. */
  async look(): Promise<void> {
    try {
      const looked = await this.ledger.drift(this.after, TENANTS, ENTRIES);
      for (const { tenant_id, drift } of looked.filter((each) => each.drift !== 0)) {
        this.thisRound += drift;
        this.logger.error({ tenant_id, drift_count: drift }, 'the account of a tenant differs from its ledger entries');
      }
      this.after = looked.at(-1)?.tenant_id ?? null;
      if (looked.length < TENANTS) [this.after, this.lastRound, this.thisRound] = [null, this.thisRound, 0];
      this.drift.set(Math.max(this.lastRound, this.thisRound));
      this.lookedAt = Date.now();
    } catch (error) {
      this.logger.warn({ err: error }, 'the ledger could not be looked at');
    }
  }
}
