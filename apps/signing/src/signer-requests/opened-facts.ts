import type { PersonalData } from '@constancia/personal-data';
import type { SealedEnvelope, SealedSigner } from '../envelope-records/envelope-rows.ts';
import { openWords } from '../envelope-records/envelope-secrets.ts';
import { openPerson, openValues, signerKey } from '../envelope-records/signer-secrets.ts';
import type { SignerFacts } from './found-signer.ts';

/** signing.signer_secrets: all null in rows that are in the clear. */
export type SignerSecrets = Pick<SealedEnvelope, 'sealed_words'> &
  Pick<SealedSigner, 'sealed_person' | 'sealed_values'> & { envelope_key: Buffer | null; signer_key: Buffer | null };

type Facts = Omit<SignerFacts, 'draft'>;
/** As it is found: the number is only in what is sealed. */
type FoundFacts = Omit<Facts, 'phone'> & SignerSecrets;

/**
 * What one signer may know, with sealed data opened. Asks KMS for a tenant that this process does not know yet; the look-up before
 * a transaction has done so by the time that the transaction asks.
 */
export async function openFacts(personal: PersonalData, found: FoundFacts): Promise<Facts> {
  const { sealed_words, envelope_key, sealed_person, sealed_values, signer_key, ...clear } = found;
  const facts: Facts = { ...clear, phone: null };
  if (!sealed_words && !sealed_person) return facts;
  const keyring = await personal.tenant(facts.tenant_id);
  const { envelope_id: envelopeId, signer_id: signerId } = facts;
  if (sealed_words && envelope_key) {
    const { subject, message } = openWords(keyring.subject(envelopeId, envelope_key), envelopeId, sealed_words);
    Object.assign(facts, { subject, message });
  }
  if (!sealed_person) return facts;
  const key = signerKey(keyring, signerId, signer_key);
  const { email, phone, name } = openPerson(key, signerId, sealed_person);
  const field_values = sealed_values ? openValues(key, signerId, sealed_values) : facts.field_values;
  return { ...facts, email, phone, name, field_values };
}
