import { roleTitle } from '@constancia/kernel';
import { type EnvelopeEndReason, type EnvelopeWords, type SignerPerson, SIGNING_CONTEXT } from '@constancia/contracts';
import type { TenantKeyring } from '@constancia/personal-data';
import type { Envelope } from '../envelope-records/envelope.entity.ts';
import type { SealedEnvelope, SealedSigner, SignerRow } from '../envelope-records/envelope-rows.ts';
import type { SignerMail } from './signer-mail.entity.ts';

type OfMail = Pick<SignerMail, 'id' | 'tenant_id' | 'envelope_id' | 'signer_id' | 'kind' | 'secret' | 'attempts'>;
type OfEnvelope = Pick<Envelope, 'public_id' | 'subject' | 'message' | 'locale' | 'expires_at' | 'end_reason'>;
type OfSigner = Pick<SignerRow, 'role' | 'email' | 'phone' | 'name' | 'token_sealed' | 'otp_expires_at'>;

/** A mail that this process has leased, with everything that its text contains. */
export interface ClaimedMail extends OfMail, OfEnvelope, OfSigner {
  lease_token: string;
  circuit_name: string;
  /** Name, else role, of the signer who declined. */
  declined_by: string | null;
  sender: string;
  brand_color: string | null;
  /** SHA-256 of the tenant's logo, hex. */
  brand_logo: string | null;
}

/** A row of signing.claim_signer_mails_v4: the same, all or part of it sealed. */
export interface LeasedMail
  extends Omit<ClaimedMail, 'phone'>, Omit<SealedEnvelope, 'sealed_values'>, Pick<SealedSigner, 'sealed_person'> {
  signer_key: Buffer | null;
  envelope_key: Buffer | null;
  decliner_id: string | null;
  decliner_person: Buffer | null;
  decliner_key: Buffer | null;
}

export function isSealed({ sealed_person, sealed_words, sealed_end_reason, decliner_person }: LeasedMail): boolean {
  return [sealed_person, sealed_words, sealed_end_reason, decliner_person].some((part) => part !== null);
}

/** The mail with its sealed data opened. Throws when a key was destroyed: the mail must not be sent then. */
export function openMail(keyring: TenantKeyring, mail: LeasedMail): ClaimedMail {
  const { signer_id, envelope_id, decliner_id } = mail;
  const open = <T>(id: string, wrapped: Buffer | null, context: string, sealed: Buffer): T => {
    if (wrapped === null) throw new Error('the key of a mail was destroyed');
    return keyring.subject(id, wrapped).open<T>(context, sealed);
  };
  const opened: ClaimedMail = { ...mail, phone: null };
  if (mail.sealed_person) {
    const context = SIGNING_CONTEXT.person(signer_id);
    const { email, phone = null, name } = open<SignerPerson>(signer_id, mail.signer_key, context, mail.sealed_person);
    Object.assign(opened, { email, phone, name });
  }
  if (mail.sealed_words) {
    const context = SIGNING_CONTEXT.words(envelope_id);
    Object.assign(opened, open<EnvelopeWords>(envelope_id, mail.envelope_key, context, mail.sealed_words));
  }
  if (mail.sealed_end_reason) {
    const context = SIGNING_CONTEXT.endReason(envelope_id);
    const { reason } = open<EnvelopeEndReason>(envelope_id, mail.envelope_key, context, mail.sealed_end_reason);
    opened.end_reason = reason;
  }
  if (mail.decliner_person && decliner_id !== null) {
    const context = SIGNING_CONTEXT.person(decliner_id);
    const { name } = open<SignerPerson>(decliner_id, mail.decliner_key, context, mail.decliner_person);
    opened.declined_by = name ?? mail.declined_by;
  }
  return opened;
}

/** claim_signer_mails answers a name, else a role's key. */
export function nameOrRole(text: string, locale: ClaimedMail['locale']): string {
  return /^[a-z0-9_-]{1,32}$/.test(text) ? roleTitle(text, locale) : text;
}
