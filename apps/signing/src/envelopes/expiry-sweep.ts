import { type EventRecord, hintDeliveries } from '@constancia/events';
import { IndependentWork, typeId } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { endEnvelope } from './end-envelope.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { Envelopes } from './envelopes.ts';

const EVERY_MS = 5_000;
const AT_ONCE = 50;

/**
 * Ends envelopes whose time is over. Every process does it: the one that takes an envelope's lock first ends it. Links of an envelope whose
 * time is over are dead before the sweep comes by; it makes that known.
 */
@Injectable()
export class ExpirySweep extends PeriodicWork {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly queues: Queues,
    logger: Logger,
  ) {
    super({ name: 'expiry-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(signal: AbortSignal): Promise<void> {
    const work = new IndependentWork();
    const endAll = async () => {
      for (;;) {
        const overdue = await this.envelopes.overdue(AT_ONCE);
        let ended = 0;
        for (const { tenant_id, id } of overdue) {
          if (signal.aborted) return;
          const expire = async () => {
            if (await this.expire(tenant_id, id)) ended += 1;
          };
          await work.attempt(expire, { envelope_id: id });
        }
        if (overdue.length < AT_ONCE || ended === 0) return;
      }
    };
    await work.attempt(endAll);
    work.throwFirstFailure();
  }

  /** False when it ended otherwise meanwhile. */
  private async expire(tenantId: string, uuid: string): Promise<boolean> {
    const { envelopes, signerMails, mails, queues } = this;
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
  }
}
