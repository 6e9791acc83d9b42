import type { QueueName } from '@constancia/contracts';
import type { Hint, Producer } from './backend.ts';
import type { QueueLogger } from './queue-logger.ts';

const MAX_WAITING = 10_000;
const MAX_BATCH = 200;
const LOG_EVERY_MS = 60_000;

/**
 * Sends hints behind the caller's back: they wait in memory for at most one round trip per queue, the same id once, and
 * whatever cannot be sent is counted and forgotten.
 */
export class HintSender {
  private readonly waiting = new Map<QueueName, Map<string, Hint>>();
  private readonly sending = new Map<QueueName, Promise<void>>();
  private unreported = 0;
  private reportedAt = 0;
  private closed = false;
  /** Hints lost since the start. */
  lost = 0;

  constructor(
    private readonly producer: () => Promise<Producer>,
    private readonly logger: QueueLogger,
    private readonly onLost: (name: QueueName, count: number) => void,
  ) {}

  add(name: QueueName, hint: Hint): void {
    const hints = this.waiting.get(name) ?? new Map<string, Hint>();
    this.waiting.set(name, hints);
    if (this.closed || (hints.size >= MAX_WAITING && !hints.has(hint.dedupId))) return this.lose(name, 1, 'full');
    hints.set(hint.dedupId, hint); // not sent yet, so one of them is enough
    if (!this.sending.has(name)) {
      this.sending.set(
        name,
        this.send(name, hints).finally(() => this.sending.delete(name)),
      );
    }
  }

  /** Waits until what was handed over is sent or lost. Later hints are lost. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.sending.values());
  }

  private async send(name: QueueName, hints: Map<string, Hint>): Promise<void> {
    await Promise.resolve(); // never in the caller's own turn
    while (hints.size > 0) {
      const batch = [...hints.values()].slice(0, MAX_BATCH);
      for (const { dedupId } of batch) hints.delete(dedupId);
      try {
        await (await this.producer()).send(name, batch);
      } catch (error) {
        const rest = this.closed ? hints.size : 0; // a process that ends does not try its luck batch by batch
        if (this.closed) hints.clear();
        this.lose(name, batch.length + rest, error instanceof Error ? error.message : String(error));
      }
    }
  }

  private lose(name: QueueName, count: number, reason: string): void {
    this.lost += count;
    this.unreported += count;
    this.onLost(name, count);
    if (Date.now() - this.reportedAt < LOG_EVERY_MS) return;
    this.logger.warn(
      { queue: name, lost: this.unreported, reason },
      'queue hints were lost; the sweeps will find the work',
    );
    this.reportedAt = Date.now();
    this.unreported = 0;
  }
}
