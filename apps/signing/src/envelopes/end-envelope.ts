import { emitEvent, type EventRecord, hintDeliveries } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { SignerMails } from '../mails/signer-mails.ts';
import { updateEnvelope } from '../envelope-records/envelope-changes.ts';
import { envelopeEvent } from '../envelope-records/envelope-events.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import { type EnvelopeStatus, envelopeTransition, isOpen } from '../envelope-records/envelope-states.ts';
import { newSalt, reasonDigest } from '../envelope-records/person-digest.ts';
import { recordEvent, type TrailType } from '../envelope-records/trail.ts';
import { Envelopes } from './envelopes.ts';

/** How an envelope ends without a document, before everyone has signed. */
export type Ending = 'decline' | 'void' | 'expire';

interface Consequence {
  trail: TrailType;
  /** Of its event and its mails. */
  word: 'declined' | 'voided' | 'expired';
}

const CONSEQUENCES: Record<Ending, Consequence> = {
  decline: { trail: 'signer.declined', word: 'declined' },
  void: { trail: 'envelope.voided', word: 'voided' },
  expire: { trail: 'envelope.expired', word: 'expired' },
};

export interface EnvelopeEnding {
  envelope: EnvelopeRow;
  action: Ending;
  /** Who declined, with the status `declined` written already. */
  signer?: SignerRow;
  /** Why the tenant voids it: kept in the envelope; the trail has its digest. */
  reason?: string;
  ip?: string;
  userAgent?: string;
  /** Evidence for the trail, in addition to the digest of the tenant's reason. */
  data?: Record<string, unknown>;
}

/**
 * Ends an envelope whose row the transaction holds: its state, the trail, the event and the mails. Answers the event, whose
 * deliveries are to be hinted at after the commit. Throws when the state allows no such end: callers look first.
 */
export async function endEnvelope(tx: Tx, mails: SignerMails, ending: EnvelopeEnding): Promise<EventRecord> {
  const { envelope, action, signer, reason } = ending;
  const to = endOf(envelope.status, action);
  const { trail, word } = CONSEQUENCES[action];
  const voiding = action === 'void' ? { end_reason: reason ?? '', end_reason_salt: newSalt() } : null;
  await updateEnvelope(tx, envelope, { status: to, ended_at: new Date(), ...voiding });
  const { id: envelopeId, tenant_id: tenantId } = envelope;
  const { ip, userAgent } = ending;
  const data = {
    ...ending.data,
    ...(voiding && { reason_sha256: reasonDigest(voiding.end_reason, voiding.end_reason_salt) }),
  };
  await recordEvent(tx, { tenantId, envelopeId, type: trail, signer, ip, userAgent, data });
  const event = envelopeEvent(`seal.envelope.${word}`, envelope, signer ?? null); // without the reason: events are kept in the clear
  await emitEvent(tx, event);
  await mails.enqueueEnding(tx, envelope, word);
  return event;
}

function endOf(status: EnvelopeStatus, action: Ending): EnvelopeStatus {
  const transition = envelopeTransition(status, action);
  if (!transition) throw new Error(`an envelope that is ${status} has no ${action}`);
  return transition.to;
}

/** Of an envelope; UUIDs. */
export interface EnvelopeKey {
  tenant_id: string;
  id: string;
}

/** Ends envelopes that nobody asked to end: their time is over, or their tenant was closed. */
@Injectable()
export class EnvelopeEndings {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly signerMails: SignerMails,
    private readonly mails: SignerMailLoop,
    private readonly queues: Queues,
  ) {}

  /** False when it ended otherwise meanwhile, or `endingOf` answers null. */
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
