import { Database, type Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';

const KNOWN_TENANTS = 10_000;

/** Owners of tenants whose mails wait because the owner has not verified the address. */
@Injectable()
export class SenderOwners {
  /** A verified address stays verified. */
  private readonly verified = new LRUCache<string, true>({ max: KNOWN_TENANTS });

  constructor(private readonly database: Database) {}

  /** The address of an owner who has not verified it; null when it is verified. */
  async unprovenAddress(tenantId: string): Promise<string | null> {
    if (this.verified.has(tenantId)) return null;
    const [row] = await this.database.tenant(tenantId, (tx) =>
      tx.query<{ verified: boolean; owner_email: string | null }>(
        `select platform_v1.owner_verified($1) as verified, (select owner_email from platform_v1.tenant_contact()) as owner_email`,
        [tenantId],
      ),
    );
    if (row?.verified) this.verified.set(tenantId, true);
    return row?.verified ? null : (row?.owner_email ?? '');
  }
}

/** A code cannot wait: the person who asked for it is in front of the page. `email`: null for a code to a phone. */
export async function refuseUnprovenSender(tx: Tx, tenantId: string, email: string | null): Promise<void> {
  const [row] = await tx.query<{ free: boolean }>(
    `select platform_v1.owner_verified($1)
            or exists (select from platform_v1.tenant_contact() c where lower(c.owner_email) = lower($2)) as free`,
    [tenantId, email],
  );
  if (row?.free) return;
  throw new StateConflict('The sender has not confirmed their own mail address yet: no code can be sent until then.');
}
