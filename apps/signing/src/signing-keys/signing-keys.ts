import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { SigningKey } from './signing-key.entity.ts';

/** The public keys that documents were signed with. */
@Injectable()
export class SigningKeys {
  constructor(private readonly database: Database) {}

  /** The tenant's own and the platform's, the newest first: row-level security shows no other. */
  list(tenantId: string): Promise<SigningKey[]> {
    const order = { created_at: 'DESC', fingerprint: 'ASC' } as const;
    return this.database.tenant(tenantId, (tx) => tx.manager.find(SigningKey, { order, take: 1000 }));
  }

  /** The key with this fingerprint (hex), whosever it is: a document that it signed names it. Throws NotFound. */
  async find(fingerprint: string): Promise<SigningKey> {
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) throw new NotFound();
    const bytes = Buffer.from(fingerprint, 'hex');
    const [key] = await this.database.query<SigningKey>('select * from signing.find_signing_key($1)', [bytes]);
    if (!key) throw new NotFound();
    return key;
  }

  /** The keys that were registered under this identifier of the key management service, which the proof of a document names. */
  named(keyArn: string): Promise<SigningKey[]> {
    return this.database.query<SigningKey>('select * from signing.signing_keys_named($1)', [keyArn]);
  }
}
