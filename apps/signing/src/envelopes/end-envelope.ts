import { emitEvent, type EventRecord } from '@constancia/events';
import type { Tx } from '@constancia/persistence';
import type { SignerMails } from '../mails/signer-mails.ts';
import { updateEnvelope } from '../envelope-records/envelope-changes.ts';
import { envelopeEvent } from '../envelope-records/envelope-events.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import { type EnvelopeStatus, envelopeTransition } from '../envelope-records/envelope-states.ts';
import { newSalt, reasonDigest } from '../envelope-records/person-digest.ts';
import { recordEvent, type TrailType } from '../envelope-records/trail.ts';

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
