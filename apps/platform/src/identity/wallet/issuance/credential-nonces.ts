import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { derivedKeys } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';

const VALID_MS = 5 * 60_000;
const TIME_BYTES = 6;
const RANDOM_BYTES = 16;
const MAC_BYTES = 16;
/** Must never change. */
const PURPOSE = 'c_nonce';

/**
 * Nonces for proofs of possession. One is signed instead of stored, so that asking for nonces costs nobody a row; it is stored once it was
 * used, until it has expired, and so counts once.
 */
@Injectable()
export class CredentialNonces {
  private readonly keys: readonly Buffer[];

  constructor({ secretsKey }: PlatformConfig) {
    this.keys = derivedKeys(secretsKey, 'signedValues');
  }

  issue(now: number = Date.now()): string {
    const body = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);
    body.writeUIntBE(now + VALID_MS, 0, TIME_BYTES);
    randomBytes(RANDOM_BYTES).copy(body, TIME_BYTES);
    return Buffer.concat([body, macOf(this.keys[0] as Buffer, body)]).toString('base64url');
  }

  /** Until when a nonce that was issued here can be used; null for any other text. */
  expiryOf(nonce: string, now: number = Date.now()): Date | null {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== TIME_BYTES + RANDOM_BYTES + MAC_BYTES || bytes.toString('base64url') !== nonce) return null;
    const body = bytes.subarray(0, TIME_BYTES + RANDOM_BYTES);
    const mac = bytes.subarray(TIME_BYTES + RANDOM_BYTES);
    if (!this.keys.some((key) => timingSafeEqual(macOf(key, body), mac))) return null;
    const expiresAt = body.readUIntBE(0, TIME_BYTES);
    return expiresAt > now ? new Date(expiresAt) : null;
  }

  /** Uses it up; false when it was. */
  async burn(tx: Tx, nonce: string, expiresAt: Date): Promise<boolean> {
    const hash = createHash('sha256').update(nonce).digest();
    const sql = 'select identity.burn_credential_nonce($1, $2) as burned';
    const [row] = await tx.query<{ burned: boolean }>(sql, [hash, expiresAt]);
    return row?.burned === true;
  }
}

const macOf = (key: Buffer, body: Buffer): Buffer =>
  createHmac('sha256', key).update(PURPOSE).update(body).digest().subarray(0, MAC_BYTES);
