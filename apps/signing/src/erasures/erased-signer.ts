import { randomBytes } from 'node:crypto';
import type { Tx } from '@constancia/persistence';
import type { PersonalData } from '@constancia/personal-data';
import { In } from 'typeorm';
import { EmbedSession } from '../embed/embed-session.entity.ts';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import type { SignerRow, SealedSigner } from '../envelope-records/envelope-rows.ts';

/** In place of an erased signer's address; nothing can be delivered there (RFC 2606). */
const ERASED_ADDRESS = 'erased@erased.invalid';

const NOTHING_SEALED: SealedSigner = {
  ...{ sealed_person: null, sealed_prefill: null, sealed_values: null, sealed_mark: null, email_index: null },
};

/**
 * Erases the personal data in the row of a signer, destroys the key that it was sealed with, and ends the link. The envelope's row must be
 * locked. Mails that have not been sent are cancelled, and what the tenant wrote to embed sessions is cleared.
 */
export async function eraseSigner(tx: Tx, personal: PersonalData, signer: SignerRow): Promise<void> {
  if (signer.email === ERASED_ADDRESS) return;
  await updateSigner(
    tx,
    { ...signer, key: null },
    {
      ...NOTHING_SEALED,
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
      otp_method: null,
      values_digest: null,
    },
  );
  await clearEmbeds(tx, signer.tenant_id, [signer.id]);
  await personal.destroy(tx, signer.tenant_id, [signer.id]);
  await tx.query(
    `update signing.signer_mail set failed_at = now(), failure = 'not_needed', secret = null
      where signer_id = $1 and sent_at is null and failed_at is null`,
    [signer.id],
  );
}

/** Clears what the tenant wrote to embed sessions of these signers. */
export async function clearEmbeds(tx: Tx, tenantId: string, signerIds: readonly string[]): Promise<void> {
  const embeds = { tenant_id: tenantId, target_id: In(signerIds) };
  await tx.manager.update(EmbedSession, embeds, { external_ref: null, metadata: {} });
}
