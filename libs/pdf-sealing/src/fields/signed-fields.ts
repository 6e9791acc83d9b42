import { maskedEmail } from '@constancia/kernel';
import type { PlacedDrawing } from '../drawing.ts';
import type { Locale } from '../times.ts';
import { fieldDrawings, labelsWithoutRoom } from './field-drawings.ts';
import type { SignatureMark, SignerField } from './field-drawings.ts';

/** A field of a circuit: of the signer in this role. */
export interface CircuitSignerField extends SignerField {
  signer: string;
}

/** What the sender of a document filled in, in the fields of this role. */
export interface SentValues {
  role: string;
  values: Readonly<Record<string, string | boolean>>;
}

/** A signer who has signed, as kept: the columns of which a signature on the document is made. */
export interface SignedSigner {
  role: string;
  name: string | null;
  email: string;
  signature_type: 'typed' | 'drawn' | null;
  signature_text: string | null;
  signature_image: Uint8Array | null;
  field_values: Readonly<Record<string, string | boolean>>;
  signed_at: Date | null;
}

/**
 * What those who signed left on the document, the same no matter who draws it: what later signers are shown is what is sealed in the end. Each
 * signature has its caption. `sent`: what the sender filled in.
 */
export function signedDrawings(
  signers: readonly SignedSigner[],
  fields: readonly CircuitSignerField[],
  locale: Locale,
  sent: SentValues | null = null,
): PlacedDrawing[] {
  const drawn = signers.flatMap((signer) => {
    const own = fields.filter((field) => field.signer === signer.role);
    const caption = { name: signerName(signer), at: signer.signed_at as Date, locale };
    return fieldDrawings(own, { signature: signatureMark(signer), values: signer.field_values, caption, locale });
  });
  return [...(sent === null ? [] : sentDrawings(sent, fields, locale)), ...drawn];
}

/** What the sender filled in, below everything else: no signature is among it. */
export function sentDrawings(
  { role, values }: SentValues,
  fields: readonly CircuitSignerField[],
  locale: Locale,
): PlacedDrawing[] {
  const own = fields.filter(({ signer, type }) => signer === role && type !== 'signature');
  return fieldDrawings(own, { signature: { type: 'typed', text: '' }, values, locale });
}

/** What a signer is called: as the tenant said, else as the signature says; the other signers read it, so that an address is masked. */
export function signerName({
  name,
  signature_text,
  email,
}: Pick<SignedSigner, 'name' | 'signature_text' | 'email'>): string {
  return name ?? signature_text ?? maskedEmail(email);
}

/** What the boxes are for that a signer ticked, where the document has only the tick. */
export function tickedWithoutLabel(
  { role, field_values }: Pick<SignedSigner, 'role' | 'field_values'>,
  fields: readonly CircuitSignerField[],
): string[] {
  const own = fields.filter((field) => field.signer === role);
  return labelsWithoutRoom(own, field_values);
}

/** What a signer signed with. */
export function signatureMark({
  signature_type,
  signature_text,
  signature_image,
}: Pick<SignedSigner, 'signature_type' | 'signature_text' | 'signature_image'>): SignatureMark {
  return signature_type === 'drawn'
    ? { type: 'drawn', image: signature_image ?? new Uint8Array() }
    : { type: 'typed', text: signature_text ?? '' };
}
