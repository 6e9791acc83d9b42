import { drainBacklog } from '@constancia/kernel';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { EnvelopeEndings } from './envelope-endings.ts';
import { type EnvelopeKey, Envelopes } from './envelopes.ts';

const EVERY_MS = 5_000;
const BATCH = 50;

/**
 * Ends envelopes whose time is over. Every process does it: the one that takes an envelope's lock first ends it. The links of such an
 * envelope stop working when its time is over, before the sweep; the sweep emits the event and sends the mails.
 */
@Injectable()
export class ExpirySweep extends PeriodicWork {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly endings: EnvelopeEndings,
    logger: Logger,
  ) {
    super({ name: 'expiry-sweep', everyMs: EVERY_MS, logger });
  }

  override run(signal?: AbortSignal): Promise<void> {
    return drainBacklog({
      batch: BATCH,
      due: (limit) => this.envelopes.overdue(limit),
      handle: (due) => this.expire(due),
      about: ({ id }) => ({ envelope_id: id }),
      signal,
    });
  }

  /** False when it has ended already. */
  private expire(due: EnvelopeKey): Promise<boolean> {
    return this.endings.end(due, (envelope) => {
      if (envelope.expires_at.getTime() > Date.now()) return null;
      return { envelope, action: 'expire', data: { expires_at: envelope.expires_at.toISOString() } };
    });
  }
}
