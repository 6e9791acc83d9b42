import { AuditLog, generateApiKey, hashSecret, principalId } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { Idempotency, type OnceResult, requestFingerprint } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { Forbidden, InvalidApiKey, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import { ApiKey } from './api-key.entity.ts';
import { keyObject, type KeyRow, lockKeys, requireNoMoreThan } from './api-keys.ts';

const IN_GRACE =
  'This key was replaced and is in its grace period: only the current key rotates. If it is lost, ask for a recovery token.';
const EXPIRED = 'This key has expired: give it a later expires_at first.';

export interface RotationRequest {
  principal: Principal;
  /** What X-API-Key says, of a key. */
  apiKey: string | undefined;
  graceSeconds: number;
  idempotencyKey: string | undefined;
  /** The path of the operation, for the fingerprint. */
  route: string;
  origin: string;
}

/** The new key, and until when the former one is accepted. */
export interface Rotated {
  key: KeyRow;
  apiKey: string;
  rotatedAt: Date;
  previousKeyExpiresAt: Date;
}

/** Replaces the secret of a key: name, scopes, networks and end stay. */
@Injectable()
export class KeyRotation {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Rotates the key that `find` answers. The rotation and its answer, sealed, commit together: a repetition with the Idempotency-Key gets
   * that answer, also from the key that was replaced, if it is the one that asked.
   */
  async rotate(
    request: RotationRequest,
    find: (tx: Tx) => Promise<KeyRow>,
    viewOf: (rotated: Rotated) => object,
  ): Promise<OnceResult> {
    const { principal, idempotencyKey } = request;
    const tenantId = principal.tenant.id;
    return this.database.tenant(tenantId, async (tx) => {
      const key = await find(tx);
      if (principal.inGrace && principal.id !== key.key_id) throw new Forbidden(IN_GRACE);
      const work = async () => {
        const rotated = await this.rotateNow(tx, request, key);
        await this.record(tx, request, key);
        return viewOf(rotated);
      };
      const identified = idempotencyKey === undefined ? undefined : stored(request, idempotencyKey, key);
      return this.idempotency.once(tx, tenantId, identified, { status: 200, work, secret: true });
    });
  }

  private async rotateNow(tx: Tx, { principal, apiKey, graceSeconds }: RotationRequest, key: KeyRow): Promise<Rotated> {
    const tenantId = principal.tenant.id;
    await lockKeys(tx, tenantId);
    requireNoMoreThan(principal, key);
    if (key.is_expired) throw new StateConflict(EXPIRED);
    const callerHash = principal.kind === 'key' && apiKey !== undefined ? hashSecret(apiKey) : null;
    const made = generateApiKey(this.config.environment);
    const [rotation] = await tx.query<{ rotated_at: Date; previous_key_expires_at: Date }>(
      'select * from platform.rotate_key($1, $2, $3, $4, $5, $6, $7)',
      [tenantId, key.key_id, callerHash, uuidv7(), made.hash, made.prefix, graceSeconds],
    );
    if (rotation) {
      const { rotated_at: rotatedAt, previous_key_expires_at: previousKeyExpiresAt } = rotation;
      return { key, apiKey: made.plaintext, rotatedAt, previousKeyExpiresAt };
    }
    const caller = callerHash && (await tx.manager.findOneBy(ApiKey, { key_hash: callerHash, tenant_id: tenantId }));
    if (caller && caller.status === 'expiring') throw new Forbidden(IN_GRACE);
    throw new InvalidApiKey(); // it has ended since the request began
  }

  private record(tx: Tx, { principal, origin, graceSeconds }: RotationRequest, key: KeyRow): Promise<void> {
    const after = { grace_seconds: graceSeconds };
    return AuditLog.record(tx, { principal, action: 'api_key.rotated', object: keyObject(key.key_id), after, origin });
  }
}

/** Who asked is part of the request, unless it is the key itself. */
function stored({ principal, route, graceSeconds }: RotationRequest, idempotencyKey: string, key: KeyRow) {
  const by = principal.kind === 'key' && principal.id === key.key_id ? {} : { by: principalId(principal) };
  const identity = { method: 'POST', route, body: { grace_seconds: graceSeconds, ...by } };
  return { key: idempotencyKey, fingerprint: requestFingerprint(identity) };
}
