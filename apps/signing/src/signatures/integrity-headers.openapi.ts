import { shape } from '@constancia/contracts';
import { FILE_NAME_HEADER } from '@constancia/http';
import { KEY_ARN_EXAMPLE } from '../signing-keys/signing-key-view.ts';

const hex = (description: string, limits: { pattern: string; maxLength: number }) => ({
  description,
  schema: { type: 'string' as const, ...limits },
});

/** The integrity headers, for the documentation. */
export const INTEGRITY_HEADERS = {
  'X-Document-SHA256': hex('SHA-256 of the PDF, hex.', shape.sha256),
  'X-KMS-Key-ARN': {
    description: 'Identifier of the signing key in the key management service.',
    schema: { type: 'string' as const, ...shape.keyArn, example: KEY_ARN_EXAMPLE },
  },
  'X-Signature-Algorithm': {
    description: 'Always RSASSA_PKCS1_V1_5_SHA_256.',
    schema: { type: 'string' as const, enum: ['RSASSA_PKCS1_V1_5_SHA_256'] },
  },
  'X-Signature': hex('Signature over the digest, hex.', shape.signature),
  'X-Kms-Signature': hex('The same value as X-Signature.', shape.signature),
  'Content-Disposition': FILE_NAME_HEADER,
  ETag: hex('X-Document-SHA256 in quotes.', shape.etag),
};
