import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { SigningKey } from './signing-key.entity.ts';

const COLUMNS =
  'fingerprint, key_arn, algorithm, public_key_pem, certificate_der, certificate_chain_der, created_at, status';

/** The public keys that documents were signed with. Few, public, the same for every tenant. */
@Injectable()
export class SigningKeys {
  constructor(private readonly database: Database) {}

  /** All keys, the newest first. */
  list(): Promise<SigningKey[]> {
    return this.database.query(
      `select ${COLUMNS} from signing.signing_key order by created_at desc, fingerprint limit 1000`,
    );
  }

  /** The key with this fingerprint (hex). Throws NotFound. */
  async find(fingerprint: string): Promise<SigningKey> {
    if (!/^[0-9a-f]{64}$/.test(fingerprint)) throw new NotFound();
    const [key] = await this.database.query<SigningKey>(
      `select ${COLUMNS} from signing.signing_key where fingerprint = decode($1, 'hex')`,
      [fingerprint],
    );
    if (!key) throw new NotFound();
    return key;
  }

  /** The keys that were registered under this identifier of the key management service. */
  named(keyArn: string): Promise<SigningKey[]> {
    return this.database.query(`select ${COLUMNS} from signing.signing_key where key_arn = $1`, [keyArn]);
  }
}
