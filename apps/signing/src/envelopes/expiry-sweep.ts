import { type EventRecord, hintDeliveries } from '@constancia/events';
import { PeriodicTask, typeId } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { endEnvelope } from './end-envelope.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { Envelopes } from './envelopes.ts';

const EVERY_MS = 5_000;
const AT_ONCE = 50;

/**
 * Ends envelopes whose time is over. Every process does it: whoever takes an envelope's lock first ends it. Links of an envelope whose
 * time is over are dead before the sweep comes by; it makes that known.
 */
@Injectable()
export class ExpirySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;
  private stopped = false;

  constructor(
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly queues: Queues,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({ name: 'expiry-sweep', everyMs: EVERY_MS, logger, run: () => this.sweep() });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    return this.task.close();
  }

  /** Ends all that are due. Never rejects. */
  async sweep(): Promise<void> {
    const { envelopes, logger } = this;
    try {
      for (;;) {
        const overdue = await envelopes.overdue(AT_ONCE);
        let ended = 0;
        for (const { tenant_id, id } of overdue) if (!this.stopped && (await this.expire(tenant_id, id))) ended++;
        if (overdue.length < AT_ONCE || ended === 0) return;
      }
    } catch (error) {
      logger.warn({ err: error }, 'overdue envelopes could not be looked for: tried again soon');
    }
  }

  /** Ends one, whatever becomes of the others. */
  private async expire(tenantId: string, uuid: string): Promise<boolean> {
    const { envelopes, signerMails, mails, queues, logger } = this;
    try {
      const event = await envelopes.change<EventRecord | null>(tenantId, typeId('env', uuid), ({ envelope }, tx) => {
        const due = isOpen(envelope.status) && envelope.expires_at.getTime() <= Date.now();
        if (!due) return Promise.resolve(null);
        const data = { expires_at: envelope.expires_at.toISOString() };
        return endEnvelope(tx, signerMails, { envelope, action: 'expire', data });
      });
      if (!event) return false;
      hintDeliveries(queues, [event]);
      mails.wake();
      return true;
    } catch (error) {
      logger.warn({ err: error, envelope_id: uuid }, 'an overdue envelope could not be ended: tried again soon');
      return false;
    }
  }
}
