import { randomBytes } from 'node:crypto';
import type { Tx } from '@constancia/persistence';
import { updateSigner } from '../envelopes/envelope-changes.ts';
import type { SignerRow } from '../envelopes/envelope-rows.ts';

/** In place of an erased signer's address; nothing can be delivered there (RFC 2606). */
export const ERASED_ADDRESS = 'erased@erased.invalid';

/**
 * Erases what the row of a signer tells of a person, and ends the link. The envelope's row must be held. Mails that have not gone out are
 * given up.
 */
export async function eraseSigner(tx: Tx, signer: SignerRow): Promise<void> {
  if (signer.email === ERASED_ADDRESS) return;
  await updateSigner(tx, signer, {
    email: ERASED_ADDRESS,
    name: null,
    person_salt: null,
    token_hash: randomBytes(32),
    access_code_hash: null,
    signature_text: null,
    signature_image: null,
    field_values: {},
    signed_ip: null,
    decline_reason: null,
    otp_hash: null,
    values_digest: null,
  });
  await tx.query(
    `update signing.signer_mail set failed_at = now(), failure = 'not_needed', secret = null
      where signer_id = $1 and sent_at is null and failed_at is null`,
    [signer.id],
  );
}
