import type { PersonalData, TenantKeyring } from '@constancia/personal-data';
import type { CircuitField } from '../circuits/circuit.entity.ts';
import type { SealedEnvelope, SealedSigner } from '../envelope-records/envelope-rows.ts';
import { openWords } from '../envelope-records/envelope-secrets.ts';
import { openPerson, openValues, signerKey } from '../envelope-records/signer-secrets.ts';
import { openPrefill, openSenderValues } from '../envelope-records/sealed-values.ts';
import type { FieldValues } from './field-values.ts';
import type { SignerFacts } from './found-signer.ts';
import { ownFields } from './own-fields.ts';

/** signing.signer_secrets: all null in rows that are in the clear. */
export type SignerSecrets = Pick<SealedEnvelope, 'sealed_words'> &
  Pick<SealedSigner, 'sealed_person' | 'sealed_values'> & { envelope_key: Buffer | null; signer_key: Buffer | null };

/** signing.signer_values: null but for the first where no field of the signer has a condition. */
export interface SignerValuesRow {
  sealed_prefill: Buffer | null;
  /** All of the circuit. */
  circuit_fields: CircuitField[] | null;
  sender_values: Buffer | null;
  /** Of the signers of a lower order; bytes in hexadecimal. */
  earlier_values: EarlierValues[] | null;
}

interface EarlierValues {
  /** UUID. */
  id: string;
  field_values: FieldValues;
  sealed_values: string | null;
  wrapped_key: string | null;
}

type Facts = Omit<SignerFacts, 'draft'>;
/** As it is found: the number is only in what is sealed. */
type StoredFacts = Omit<Facts, 'prefilled' | 'phone'> & SignerSecrets & SignerValuesRow;

/**
 * What one signer may know, with sealed data opened. Asks KMS for a tenant that this process does not know yet; the look-up before
 * a transaction has done so by the time that the transaction asks.
 */
export async function openFacts(personal: PersonalData, found: StoredFacts): Promise<Facts> {
  const { sealed_words, envelope_key, sealed_person, sealed_values, signer_key, ...row } = found;
  const { sealed_prefill, circuit_fields, sender_values, earlier_values, ...stored } = row;
  const facts: Facts = { ...stored, prefilled: {}, phone: null };
  if (!sealed_words && !sealed_person && !sender_values && !circuit_fields) return facts;
  const keyring = await personal.tenant(facts.tenant_id);
  const { envelope_id: envelopeId, signer_id: signerId } = facts;
  if (sealed_words && envelope_key) {
    const { subject, message } = openWords(keyring.subject(envelopeId, envelope_key), envelopeId, sealed_words);
    Object.assign(facts, { subject, message });
  }
  if (circuit_fields) {
    const values = valuesBefore(keyring, earlier_values ?? []);
    if (sender_values && envelope_key) {
      Object.assign(values, openSenderValues(keyring.subject(envelopeId, envelope_key), envelopeId, sender_values));
    }
    facts.fields = ownFields(facts, circuit_fields, values);
  }
  if (!sealed_person) return facts;
  const key = signerKey(keyring, signerId, signer_key);
  const { email, phone, name } = openPerson(key, signerId, sealed_person);
  const field_values = sealed_values ? openValues(key, signerId, sealed_values) : facts.field_values;
  const prefilled = sealed_prefill ? openPrefill(key, signerId, sealed_prefill) : {};
  return { ...facts, email, phone, name, field_values, prefilled };
}

/** What the earlier signers filled in. */
function valuesBefore(keyring: TenantKeyring, earlier: readonly EarlierValues[]): FieldValues {
  const opened = earlier.map(({ id, field_values, sealed_values, wrapped_key }) => {
    if (sealed_values === null) return field_values;
    const key = signerKey(keyring, id, wrapped_key === null ? null : Buffer.from(wrapped_key, 'hex'));
    return openValues(key, id, Buffer.from(sealed_values, 'hex'));
  });
  return Object.assign({}, ...opened) as FieldValues;
}
