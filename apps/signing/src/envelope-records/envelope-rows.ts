import type { SubjectKey } from '@constancia/personal-data';
import type { Envelope } from './envelope.entity.ts';
import type { EnvelopeSigner } from './envelope-signer.entity.ts';

/** What an envelope is sealed with. `wrapped`: of a key that has no row yet. */
export interface EnvelopeKey {
  key: SubjectKey;
  wrapped: Buffer | null;
}

/** What an envelope's row keeps sealed, with the key of its id. */
export type SealedEnvelope = Pick<Envelope, 'sealed_words' | 'sealed_end_reason' | 'sealed_values'>;

/** What a signer's row keeps sealed, with the key of its id; all null in a row that is in the clear, and in one that was erased. */
export type SealedSigner = Pick<
  EnvelopeSigner,
  'sealed_person' | 'sealed_prefill' | 'sealed_values' | 'sealed_mark' | 'email_index'
>;

/** An envelope, opened. `key`: what its words are sealed with; null while they are written in the clear. */
export type EnvelopeRow = Omit<Envelope, keyof SealedEnvelope> & { key: EnvelopeKey | null };

/** A signer, opened. `key`: what the row is sealed with; null when it is in the clear. `phone`, in E.164, is only ever stored sealed. */
export type SignerRow = Omit<EnvelopeSigner, keyof SealedSigner> & { key: SubjectKey | null; phone: string | null };

/** Columns that a change of an envelope may write. */
export type EnvelopeColumns = Partial<
  Omit<EnvelopeRow, 'id' | 'tenant_id' | 'circuit_id' | 'public_id' | 'created_at' | 'key'>
>;

/** Columns that a change of a signer may write. */
export type SignerColumns = Partial<Omit<SignerRow, 'id' | 'tenant_id' | 'envelope_id' | 'role' | 'ord' | 'key'>>;
