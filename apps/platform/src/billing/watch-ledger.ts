import { LedgerReader } from '@constancia/credit-ledger';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';

const EVERY_MS = 5_000;
/** What one look reads at most: so many tenants, and so many entries of each. */
const TENANTS = 100;
const ENTRIES = 200;

/**
 * Goes round all tenants, a hundred at a time, and measures how far the ledger is from itself (`ledger_drift_credits`): 0, or somebody is
 * woken. What a look costs does not grow with the ledger. Every platform process does it.
 */
@Injectable()
export class LedgerWatch extends PeriodicWork {
  private after: string | null = null;
  /** In credits: of the last whole round, and of this one so far. */
  private lastRound = 0;
  private thisRound = 0;
  private lookedAt = Date.now();
  private readonly drift;

  constructor(
    private readonly ledger: LedgerReader,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'watch-ledger', everyMs: EVERY_MS, logger });
    this.drift = metrics.gauge(
      'ledger_drift_credits',
      'Credits by which accounts differ from their entries: must be 0',
    );
    metrics.gauge('ledger_check_age_seconds', 'Since accounts were last compared with their entries', [], (gauge) =>
      gauge.set((Date.now() - this.lookedAt) / 1_000),
    );
  }

  /** Looks at the next tenants. */
  override async run(): Promise<void> {
    const looked = await this.ledger.drift(this.after, TENANTS, ENTRIES);
    for (const { tenant_id, drift } of looked.filter((each) => each.drift !== 0)) {
      this.thisRound += drift;
      this.logger.error({ tenant_id, drift_count: drift }, 'the account of a tenant differs from its ledger entries');
    }
    this.after = looked.at(-1)?.tenant_id ?? null;
    if (looked.length < TENANTS) [this.after, this.lastRound, this.thisRound] = [null, this.thisRound, 0];
    this.drift.set(Math.max(this.lastRound, this.thisRound));
    this.lookedAt = Date.now();
  }
}
