import { type EventRecord, hintDeliveries } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import type { EnvelopeRow } from '../envelope-records/envelope-rows.ts';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { endEnvelope, type EnvelopeEnding } from './end-envelope.ts';
import { type EnvelopeKey, Envelopes } from './envelopes.ts';

/** Ends envelopes that nobody asked to end: their time is over, or their tenant was closed. */
@Injectable()
export class EnvelopeEndings {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly queues: Queues,
  ) {}

  /** False when the envelope has ended already, or `endingOf` answers null. */
  async end(
    { tenant_id, id }: EnvelopeKey,
    endingOf: (envelope: EnvelopeRow) => EnvelopeEnding | null,
  ): Promise<boolean> {
    const { envelopes, signerMails, mails, queues } = this;
    const event = await envelopes.change<EventRecord | null>(tenant_id, typeId('env', id), ({ envelope }, tx) => {
      const ending = isOpen(envelope.status) ? endingOf(envelope) : null;
      return ending === null ? Promise.resolve(null) : endEnvelope(tx, signerMails, ending);
    });
    if (!event) return false;
    hintDeliveries(queues, [event]);
    mails.wake();
    return true;
  }
}
