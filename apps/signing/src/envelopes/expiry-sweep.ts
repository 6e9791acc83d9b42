import { type EventRecord, hintDeliveries } from '@constancia/events';
import { IndependentWork, typeId } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { endEnvelope, type EnvelopeEnding } from './end-envelope.ts';
import type { EnvelopeRow } from '../envelope-records/envelope-rows.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';
import { Envelopes } from './envelopes.ts';

const EVERY_MS = 5_000;
const AT_ONCE = 50;

interface Due {
  tenant_id: string;
  id: string;
}

/** Read by signers who were written to. */
const TENANT_CLOSED: Record<EnvelopeLocale, string> = {
  'es-CO': 'La empresa que envió el documento cerró su cuenta.',
  en: 'The company that sent the document closed its account.',
};

/**
 * Ends envelopes whose time is over, and those whose tenant was closed. Every process does it: the one that takes an envelope's lock first
 * ends it. Links of such an envelope are dead before the sweep comes by; it makes that known.
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
    const { envelopes } = this;
    const work = new IndependentWork();
    const endAll = async (due: () => Promise<Due[]>, end: (due: Due) => Promise<boolean>) => {
      for (;;) {
        const found = await due();
        let ended = 0;
        for (const one of found) {
          if (signal.aborted) return;
          const attempt = async () => {
            if (await end(one)) ended += 1;
          };
          await work.attempt(attempt, { envelope_id: one.id });
        }
        if (found.length < AT_ONCE || ended === 0) return;
      }
    };
    await work.attempt(() =>
      endAll(
        () => envelopes.overdue(AT_ONCE),
        (due) => this.expire(due),
      ),
    );
    await work.attempt(() =>
      endAll(
        () => envelopes.ofClosedTenants(AT_ONCE),
        (due) => this.voidOfClosed(due),
      ),
    );
    work.throwFirstFailure();
  }

  /** False when it ended otherwise meanwhile. */
  private expire(due: Due): Promise<boolean> {
    return this.end(due, (envelope) => {
      if (envelope.expires_at.getTime() > Date.now()) return null;
      return { envelope, action: 'expire', data: { expires_at: envelope.expires_at.toISOString() } };
    });
  }

  /** Nobody receives what is signed any more. False when it ended otherwise meanwhile. */
  private voidOfClosed(due: Due): Promise<boolean> {
    return this.end(due, (envelope) => {
      const reason = TENANT_CLOSED[envelope.locale];
      return { envelope, action: 'void', reason, data: { cause: 'tenant_closed' } };
    });
  }

  private async end(due: Due, endingOf: (envelope: EnvelopeRow) => EnvelopeEnding | null): Promise<boolean> {
    const { envelopes, signerMails, mails, queues } = this;
    const id = typeId('env', due.id);
    const event = await envelopes.change<EventRecord | null>(due.tenant_id, id, ({ envelope }, tx) => {
      const ending = isOpen(envelope.status) ? endingOf(envelope) : null;
      return ending === null ? Promise.resolve(null) : endEnvelope(tx, signerMails, ending);
    });
    if (!event) return false;
    hintDeliveries(queues, [event]);
    mails.wake();
    return true;
  }
}
