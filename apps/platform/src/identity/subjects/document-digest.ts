import { createHmac, hkdfSync } from 'node:crypto';
import { plainDocumentNumber } from '@constancia/reference-data';

/**
 * Keyed digests of document numbers (HMAC-SHA-256): two records of a tenant can be found to be about one document without either being
 * opened, and nobody without the service's secret can try all cédula numbers. The key is derived (HKDF) from the first key of
 * SECRETS_KEY.
 */
export class DocumentDigest {
  private readonly key: Buffer;

  /** @param secretsKey as SECRETS_KEY has it: base64 of 32 bytes, comma-separated, the current one first */
  constructor(secretsKey: string) {
    const current = Buffer.from(secretsKey.split(',')[0] as string, 'base64');
    this.key = Buffer.from(hkdfSync('sha256', current, '', 'constancia document number', 32));
  }

  of(tenantId: string, document: { type: string; country: string; number: string }): Buffer {
    const parts = [tenantId, document.type, document.country, plainDocumentNumber(document.number)];
    return createHmac('sha256', this.key).update(parts.join('|')).digest();
  }
}
