import {
  type EnvelopeWords,
  type SignerMark,
  type SignerPerson,
  type SignerValues,
  SIGNING_CONTEXT,
} from '@constancia/contracts';
import type { PersonalData, SubjectKey, TenantKeyring } from '@constancia/personal-data';
import type { ClaimedEnvelope, SignerToSeal, StoredSigner } from './envelope-rows.ts';

/** What is drawn of an envelope. */
export interface DrawnEnvelope {
  envelope: ClaimedEnvelope;
  signers: SignerToSeal[];
  senderValues: SignerValues;
}

/**
 * An envelope and its signers with all sealed data opened. Throws KeysUnavailableError, and an error when a key was destroyed: a document
 * without the names and values of its signers must not be sealed.
 */
export async function openedEnvelope(
  personal: Pick<PersonalData, 'tenant'>,
  envelope: ClaimedEnvelope,
  stored: readonly StoredSigner[],
): Promise<DrawnEnvelope> {
  const first = stored[0];
  const isSealed =
    first?.sealed_words || first?.sender_values || stored.some(({ sealed_person }) => sealed_person !== null);
  const keyring = isSealed ? await personal.tenant(envelope.tenant_id) : null;
  return {
    envelope: keyring && first ? { ...envelope, ...wordsOf(keyring, envelope.id, first) } : envelope,
    signers: stored.map((signer) => openedSigner(keyring, signer)),
    senderValues: keyring && first ? senderValuesOf(keyring, envelope.id, first) : {},
  };
}

function wordsOf(
  keyring: TenantKeyring,
  id: string,
  { sealed_words, envelope_key }: StoredSigner,
): Pick<EnvelopeWords, 'subject'> | null {
  if (!sealed_words) return null;
  const key = subjectKey(keyring, id, envelope_key);
  const { subject } = key.open<EnvelopeWords>(SIGNING_CONTEXT.words(id), sealed_words);
  return { subject };
}

function senderValuesOf(
  keyring: TenantKeyring,
  id: string,
  { sender_values, envelope_key }: StoredSigner,
): SignerValues {
  if (!sender_values) return {};
  return subjectKey(keyring, id, envelope_key).open<SignerValues>(SIGNING_CONTEXT.senderValues(id), sender_values);
}

function subjectKey(keyring: TenantKeyring, id: string, wrapped: Buffer | null): SubjectKey {
  if (wrapped === null) throw new Error('the key of an envelope or signer to draw was destroyed');
  return keyring.subject(id, wrapped);
}

function openedSigner(keyring: TenantKeyring | null, stored: StoredSigner): SignerToSeal {
  const {
    sealed_words: _,
    envelope_key: __,
    sealed_person,
    sealed_values,
    sealed_mark,
    signer_key,
    sender_values: ___,
    ...signer
  } = stored;
  if (!keyring || !sealed_person) return signer;
  const { id } = signer;
  const key = subjectKey(keyring, id, signer_key);
  const { email, name } = key.open<SignerPerson>(SIGNING_CONTEXT.person(id), sealed_person);
  const mark = sealed_mark && key.open<SignerMark>(SIGNING_CONTEXT.mark(id), sealed_mark);
  return {
    ...signer,
    email,
    name,
    ...(sealed_values && { field_values: key.open<SignerValues>(SIGNING_CONTEXT.values(id), sealed_values) }),
    ...(mark && {
      signature_text: mark.text,
      signature_image: mark.image === null ? null : Buffer.from(mark.image, 'base64'),
    }),
  };
}
