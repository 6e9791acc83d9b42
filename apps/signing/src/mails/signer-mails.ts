import { SecretBox, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import type { EndingMail, SignerMail } from './signer-mail.entity.ts';
import { isTextMethod, type TextMethod } from '../circuits/text-methods.ts';
import { MailRoom } from './mail-room.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

/** A mail, or a code to a phone, that is to go out once. */
export interface NewSignerMail {
  kind: 'invitation' | 'reminder' | 'otp' | 'completed' | 'not_me' | TextMethod;
  envelope: Pick<EnvelopeRow, 'id' | 'tenant_id'>;
  signer: Pick<SignerRow, 'id'> & Partial<Pick<SignerRow, 'email'>>;
  /** The signer's address is that of the tenant's owner; `enqueue` finds it out by itself. */
  toOwner?: boolean;
  /** The code of an OTP: kept sealed until the mail is out. */
  secret?: string;
  /** Two mails with the same words here are one. */
  dedupe: string;
  /** After this it is of no use any more and is not sent. */
  expiresAt?: Date;
  /** Left out: the language of the envelope. */
  locale?: EnvelopeLocale;
  /** Over a limit of mails: left out, RateLimitExceeded; wait: the mail goes out once there is room. */
  whenFull?: 'wait';
}

/** A row of signing.signer_mail as it is made. */
export type NewMailRow = Pick<
  SignerMail,
  'id' | 'tenant_id' | 'envelope_id' | 'signer_id' | 'kind' | 'secret' | 'dedupe' | 'expires_at' | 'to_owner'
>;

/** Puts mails into the store, to be sent by SignerMailLoop once the transaction has committed: call its `wake` then. */
@Injectable()
export class SignerMails {
  constructor(
    private readonly box: SecretBox,
    private readonly room: MailRoom,
  ) {}

  /** The row of a mail, for a caller that writes it together with others. */
  row({ kind, envelope, signer, secret, dedupe, expiresAt, toOwner = false }: NewSignerMail): NewMailRow {
    const id = uuidv7();
    return {
      id,
      tenant_id: envelope.tenant_id,
      envelope_id: envelope.id,
      signer_id: signer.id,
      kind,
      secret: secret === undefined ? null : this.box.seal(secret, signerMailContext(id)),
      dedupe,
      expires_at: expiresAt ?? null,
      to_owner: toOwner,
    };
  }

  /** Adds a mail in the caller's transaction, if the limits have room for it; a mail of the same `dedupe` that is there already stays the only one. */
  async enqueue(tx: Tx, mail: NewSignerMail): Promise<void> {
    const row = this.row(mail);
    const later = await this.roomFor(tx, mail);
    await tx.query(
      `insert into signing.signer_mail (id, tenant_id, envelope_id, signer_id, kind, secret, dedupe, expires_at, locale, to_owner,
                                        waiting_for, due_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, not platform_v1.owner_verified($2) and exists (
         select from platform_v1.tenant_contact() c where lower(c.owner_email) = lower($10::text)),
         case when $11::timestamptz is not null then 'room' end, coalesce($11, now()), coalesce($11, clock_timestamp()))
       on conflict (dedupe) do nothing`,
      [
        row.id,
        row.tenant_id,
        row.envelope_id,
        row.signer_id,
        row.kind,
        row.secret,
        row.dedupe,
        row.expires_at,
        mail.locale ?? null,
        mail.signer.email ?? null,
        later,
      ],
    );
  }

  /** When the mail may go out; null: at once. Codes and copies of links count for the tenant alone: they have limits of their own. */
  private async roomFor(tx: Tx, { kind, envelope, signer, whenFull }: NewSignerMail): Promise<Date | null> {
    if (kind === 'not_me' || isTextMethod(kind)) return null; // those to phones: TextRoom
    const email = kind === 'invitation' || kind === 'reminder' ? (signer.email ?? null) : null;
    if (whenFull === 'wait') return this.room.reserve(tx, envelope.tenant_id, email);
    await this.room.take(tx, envelope.tenant_id, email);
    return null;
  }

  /** Tells the signers that were written to how the envelope ended. */
  async enqueueEnding(tx: Tx, envelope: Pick<EnvelopeRow, 'id' | 'tenant_id'>, kind: EndingMail): Promise<void> {
    await tx.query('select signing.enqueue_envelope_mails($1, $2, $3)', [envelope.tenant_id, envelope.id, kind]);
  }

  /** Gives up the invitations and reminders of a signer that are not under way yet: a newer one takes their place. */
  async withdrawInvitations(tx: Tx, signer: Pick<SignerRow, 'id'>): Promise<void> {
    await tx.query(
      `update signing.signer_mail set failed_at = now(), failure = 'not_needed'
        where signer_id = $1 and kind in ('invitation', 'reminder') and sent_at is null and failed_at is null
          and (lease_until is null or lease_until <= now())`,
      [signer.id],
    );
  }

  /** The code in a mail of kind `otp`, or in a message. */
  openSecret(mail: { id: string; secret: Buffer }): string {
    return this.box.open(mail.secret, signerMailContext(mail.id)).toString();
  }
}

/** The `dedupe` of the invitation that a signer gets when the order is reached. */
export function invitationDedupe(signer: Pick<SignerRow, 'id'>): string {
  return `invitation:${signer.id}`;
}

/** Bound to the mail: a sealed code that is copied into another row does not open there. */
export function signerMailContext(mailId: string): string {
  return `signer_mail:${mailId}`;
}
