import { shape } from '@constancia/contracts';
import type { FieldError } from '@constancia/problem-json';

/** The published limit of an uploaded PDF: 25 MB. */
export const PDF_LIMIT_BYTES = 25 * 1024 * 1024;

/** A template of that size, sealed: what is drawn, a font and the signature come on top. */
export const SEALED_PDF_LIMIT_BYTES = 32 * 1024 * 1024;

const HEADER = Buffer.from('%PDF-');
const HEADER_WITHIN_BYTES = 1024;

/** What is wrong with bytes that are said to be a PDF. Readers look for the file header in the first 1,024 bytes; so do we. */
export function pdfErrors(bytes: Buffer): FieldError[] {
  if (bytes.subarray(0, HEADER_WITHIN_BYTES).includes(HEADER)) return [];
  const detail = `The body is not a PDF: %PDF- is not within its first ${HEADER_WITHIN_BYTES} bytes.`;
  return [{ pointer: '', code: 'wrong_format', detail }];
}

/** How a PDF body is written in the documentation. */
export const PDF_CONTENT = { 'application/pdf': { schema: shape.pdf } } as const;
