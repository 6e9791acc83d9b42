import { createPublicKey } from 'node:crypto';
import type { KmsUnavailable } from '@constancia/kms';
import { chainFaultAt } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { PublishedKey } from '../published-key.ts';
import { keyProblem, TenantKeyUnusable } from './tenant-key-unusable.ts';

/** Of the documents that wait for a key which KMS does not let be used, one asks for it again after this time. */
const PAUSE_MS = 15_000;

/** A key that a tenant set for its documents. */
export interface TenantKey extends PublishedKey {
  tenantId: string;
  /** The last document that asked for it did not get it. */
  hadProblem: boolean;
}

/** A row of tenant_signing_key. */
interface Row {
  fingerprint: Buffer;
  /** Null when the key is not the tenant's any more. */
  key_arn: string | null;
  public_key_pem: string;
  certificate_der: Buffer;
  certificate_chain_der: Buffer[];
  problem: 'key_unusable' | 'key_refused' | null;
  problem_at: Date | null;
}

/** The keys that tenants set, with what keeps them from being used. */
@Injectable()
export class TenantKeys {
  constructor(private readonly database: Database) {}

  /** Undefined: the tenant has none of its own. Throws TenantKeyUnusable. */
  async of(tenantId: string): Promise<TenantKey | undefined> {
    const [row] = await this.database.prepared<Row>(
      'tenant_signing_key',
      'select * from signing.tenant_signing_key($1)',
      [tenantId],
    );
    if (!row) return undefined;
    const { problem, problem_at } = row;
    if (row.key_arn === null) throw new TenantKeyUnusable('key_unusable');
    const identity = { certificateDer: row.certificate_der, chainDer: row.certificate_chain_der };
    if (chainFaultAt(identity, new Date()) !== null) throw new TenantKeyUnusable('certificate_expired');
    if (problem !== null && Date.now() - Number(problem_at) < PAUSE_MS) throw new TenantKeyUnusable(problem);
    return {
      tenantId,
      hadProblem: problem !== null,
      keyArn: row.key_arn,
      spkiDer: createPublicKey(row.public_key_pem).export({ type: 'spki', format: 'der' }),
      fingerprint: row.fingerprint.toString('hex'),
      identity,
    };
  }

  /** Notes that KMS does not let the key be used. Answers what to throw. */
  async unusable(key: TenantKey, error: KmsUnavailable): Promise<TenantKeyUnusable> {
    const problem = keyProblem(error);
    await this.note(key, problem);
    return new TenantKeyUnusable(problem, { cause: error });
  }

  /** Notes that the key was used, where it had not been usable. */
  async used(key: TenantKey): Promise<void> {
    if (key.hadProblem) await this.note(key, null);
  }

  private async note({ tenantId, fingerprint }: TenantKey, problem: Row['problem']): Promise<void> {
    const params = [tenantId, Buffer.from(fingerprint, 'hex'), problem];
    await this.database.query('select signing.note_signing_problem($1, $2, $3)', params);
  }
}
