import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { SigningKey } from './signing-key.entity.ts';

/** The public keys that documents were signed with. Few, public, the same for every tenant. */
@Injectable()
export class SigningKeys {
  constructor(private readonly database: Database) {}

  /** All keys, the newest first. */
  list(): Promise<SigningKey[]> {
    const order = { created_at: 'DESC', fingerprint: 'ASC' } as const;
    return this.database.transaction((tx) => tx.manager.find(SigningKey, { order, take: 1000 }));
  }

  /** The key with this fingerprint (hex). Throws NotFound. */
  async find(fingerprint: string): Promise<SigningKey> {
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) throw new NotFound();
    const bytes = Buffer.from(fingerprint, 'hex');
    const key = await this.database.transaction((tx) => tx.manager.findOneBy(SigningKey, { fingerprint: bytes }));
    if (!key) throw new NotFound();
    return key;
  }

  /** The keys that were registered under this identifier of the key management service. */
  named(keyArn: string): Promise<SigningKey[]> {
    return this.database.transaction((tx) => tx.manager.findBy(SigningKey, { key_arn: keyArn }));
  }
}
