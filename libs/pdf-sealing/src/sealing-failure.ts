/** Why a document could not be sealed. The first seven are the input's, the last two the service's own fault. */
export type FailureCode =
  | 'invalid_pdf'
  | 'encrypted_pdf'
  | 'placeholder_outside_page'
  | 'text_overflow'
  | 'unsupported_text'
  | 'invalid_image'
  | 'too_complex'
  | 'signing_unavailable'
  | 'internal';

/**
 * A sealing run that ends without a document. `message` is a sentence for the caller: it names the placeholder's key where
 * one is to blame, never the value that was to be drawn.
 */
export class SealingFailure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
  ) {
    super(message);
    this.name = 'SealingFailure';
  }
}
