import type { Principal } from '@constancia/http';
import type { Database } from '@constancia/persistence';
import { type Logger, type Metrics, PeriodicWork } from '@constancia/telemetry';

const EVERY_MS = 10_000;
/** At most one write per key in this time. */
const KEY_MS = 60_000;
/** Keys that are remembered between two writes; of more, what is newest is lost: it is about when a key was last used, not about money. */
const MAX_KEYS = 20_000;

interface Use {
  usedAtMs: number;
  usedIp: string | undefined;
  rejected: number;
  rejectedAtMs: number;
  rejectedIp: string | undefined;
  /** When it was last written; epoch milliseconds. */
  writtenAtMs: number;
}

/**
 * When and from where this process last saw each API key, and how often one came from outside its networks. A request only notes it in
 * memory; it is written in batches, at most once a minute per key, and when the process ends.
 */
export class KeyUses extends PeriodicWork {
  private readonly uses = new Map<string, Use>();
  private readonly rejections: { inc(): void };

  constructor(
    private readonly database: Pick<Database, 'query'>,
    { logger, metrics, now = Date.now }: { logger: Logger; metrics: Metrics; now?: () => number },
  ) {
    super({ name: 'key-uses', everyMs: EVERY_MS, logger });
    this.now = now;
    this.rejections = metrics.counter('api_key_network_rejections_total', 'Requests with an API key from outside its networks'); // prettier-ignore
  }

  private readonly now: () => number;

  accepted({ kind, id }: Principal, clientIp: string): void {
    if (kind !== 'key') return;
    const use = this.of(id);
    if (!use) return;
    use.usedAtMs = this.now();
    use.usedIp = clientIp;
  }

  /** From outside its networks. */
  rejected({ kind, id }: Principal, clientIp: string): void {
    this.rejections.inc();
    const use = kind === 'key' ? this.of(id) : undefined;
    if (!use) return;
    use.rejected += 1;
    use.rejectedAtMs = this.now();
    use.rejectedIp = clientIp;
  }

  override run(): Promise<void> {
    return this.write(this.now() - KEY_MS);
  }

  /** The last of them are written before the connections close. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.write(Infinity).catch(() => undefined); // the store is unavailable: nobody waits for it
  }

  /** Writes what is new about keys that were last written before this moment. What could not be written is tried again. */
  private async write(writtenBeforeMs: number): Promise<void> {
    const due = [...this.uses].filter(
      ([, use]) => use.writtenAtMs <= writtenBeforeMs && (use.usedIp !== undefined || use.rejected > 0),
    );
    for (const [id, use] of this.uses) if (isIdle(use, writtenBeforeMs)) this.uses.delete(id);
    if (due.length === 0) return;
    const rows = due.map(([key_id, use]) => ({
      key_id,
      used_at: use.usedIp === undefined ? null : new Date(use.usedAtMs),
      used_ip: use.usedIp ?? null,
      rejected: use.rejected,
      rejected_at: use.rejectedIp === undefined ? null : new Date(use.rejectedAtMs),
      rejected_ip: use.rejectedIp ?? null,
    }));
    await this.database.query('select platform_v1.record_key_uses($1)', [JSON.stringify(rows)]);
    for (const [nth, [, use]] of due.entries()) {
      const written = rows[nth] as (typeof rows)[number];
      use.writtenAtMs = this.now();
      use.rejected -= written.rejected;
      if (use.rejected === 0) use.rejectedIp = undefined;
      if (written.used_at !== null && use.usedAtMs === written.used_at.getTime()) use.usedIp = undefined;
    }
  }

  private of(id: string): Use | undefined {
    const known = this.uses.get(id);
    if (known || this.uses.size >= MAX_KEYS) return known;
    const use: Use = { usedAtMs: 0, usedIp: undefined, rejected: 0, rejectedAtMs: 0, rejectedIp: undefined, writtenAtMs: 0 }; // prettier-ignore
    this.uses.set(id, use);
    return use;
  }
}

/** Written, and not seen since. */
function isIdle(use: Use, writtenBeforeMs: number): boolean {
  return use.writtenAtMs <= writtenBeforeMs && use.usedIp === undefined && use.rejected === 0;
}
