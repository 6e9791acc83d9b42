import {
  type EnvelopeWords,
  type SignerMark,
  type SignerPerson,
  type SignerValues,
  SIGNING_CONTEXT,
} from '@constancia/contracts';
import type { PersonalData, TenantKeyring } from '@constancia/personal-data';
import type { ClaimedEnvelope, SignerToSeal, StoredSigner } from './envelope-rows.ts';

/** What is drawn of an envelope. */
export interface DrawnEnvelope {
  envelope: ClaimedEnvelope;
  signers: SignerToSeal[];
}

/** An envelope and its signers with whatever is sealed in place. Throws DependencyUnavailable. */
export async function openedEnvelope(
  personal: Pick<PersonalData, 'tenant'>,
  envelope: ClaimedEnvelope,
  stored: readonly StoredSigner[],
): Promise<DrawnEnvelope> {
  const first = stored[0];
  const isSealed = first?.sealed_words || stored.some(({ sealed_person }) => sealed_person !== null);
  const keyring = isSealed ? await personal.tenant(envelope.tenant_id) : null;
  return {
    envelope: keyring && first ? { ...envelope, ...wordsOf(keyring, envelope.id, first) } : envelope,
    signers: stored.map((signer) => openedSigner(keyring, signer)),
  };
}

function wordsOf(
  keyring: TenantKeyring,
  id: string,
  { sealed_words, envelope_key }: StoredSigner,
): Pick<EnvelopeWords, 'subject'> | null {
  if (!sealed_words || !envelope_key) return null;
  const { subject } = keyring.subject(id, envelope_key).open<EnvelopeWords>(SIGNING_CONTEXT.words(id), sealed_words);
  return { subject };
}

function openedSigner(keyring: TenantKeyring | null, stored: StoredSigner): SignerToSeal {
  const {
    sealed_words: _,
    envelope_key: __,
    sealed_person,
    sealed_values,
    sealed_mark,
    signer_key,
    ...signer
  } = stored;
  if (!keyring || !sealed_person || !signer_key) return signer;
  const { id } = signer;
  const key = keyring.subject(id, signer_key);
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
