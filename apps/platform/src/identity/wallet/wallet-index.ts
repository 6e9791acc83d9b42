import { createHmac } from 'node:crypto';
import { DataKeys } from '@constancia/kms';
import { plainDocumentNumber } from '@constancia/reference-data';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { keyServiceUnavailable } from '../key-service.ts';

const KEY_CONTEXT = { purpose: 'wallet_index' };

/**
 * Keyed digests (HMAC-SHA-256, 32 bytes) by which a wallet is found without anything being opened. Nobody without the key, which KMS wraps
 * and which is the same for good, can try all numbers or addresses. Every method throws DependencyUnavailable while KMS is unavailable and
 * the key has not been asked for yet.
 */
@Injectable()
export class WalletIndex {
  private key: Promise<Buffer> | undefined;

  constructor(
    private readonly database: IdentityDatabase,
    private readonly dataKeys: DataKeys,
  ) {}

  document({ type, country, number }: { type: string; country: string; number: string }): Promise<Buffer> {
    return this.of('document', `${country}|${type}|${plainDocumentNumber(number)}`);
  }

  /** Of a mail address, without regard to case. */
  contact(email: string): Promise<Buffer> {
    return this.of('contact', normalized(email));
  }

  /** What the relying parties of a tenant call the person of a wallet (OpenID Connect Core §8.1); `kind` keeps other ids apart. */
  pairwise(kind: 'subject' | 'verification', tenantId: string, id: string): Promise<Buffer> {
    return this.of(`oidc_${kind}`, `${tenantId}|${id}`);
  }

  /** What the codes are counted by that confirm an address. */
  offerCode(email: string): Promise<Buffer> {
    return this.of('offer_code', normalized(email));
  }

  /** What the codes are counted by that a contact gets to answer requests. */
  consentCode(contact: Buffer): Promise<Buffer> {
    return this.of('consent_code', contact.toString('hex'));
  }

  private async of(kind: string, text: string): Promise<Buffer> {
    this.key ??= this.load();
    this.key.catch(() => (this.key = undefined));
    return createHmac('sha256', await this.key)
      .update(`${kind}|${text}`)
      .digest();
  }

  private async load(): Promise<Buffer> {
    const known = await this.wrapped(null);
    if (known !== null) return this.dataKeys.unwrap(known, KEY_CONTEXT).catch(keyServiceUnavailable);
    const fresh = await this.dataKeys.generate(KEY_CONTEXT).catch(keyServiceUnavailable);
    const kept = await this.wrapped(fresh.wrapped); // that of the process that was first
    if (kept === null) throw new Error('the key of the index was just stored');
    return this.dataKeys.unwrap(kept, KEY_CONTEXT).catch(keyServiceUnavailable);
  }

  private async wrapped(fresh: Buffer | null): Promise<Buffer | null> {
    const [row] = await this.database.query<{ key: Buffer | null }>('select identity.wallet_index_key($1) as key', [
      fresh,
    ]);
    return row?.key ?? null;
  }
}

const normalized = (email: string): string => email.trim().toLowerCase();
