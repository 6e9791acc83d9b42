import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AskedAddress } from '@constancia/http';
import { derivedKeys, isUuid, typeId, uuidOf } from '@constancia/kernel';
import { Unauthorized } from '@constancia/problem-json';
import type { PictureType } from './asset.entity.ts';

/** What an upload address allows. Ids are UUIDs. */
export interface UploadGrant {
  assetId: string;
  tenantId: string;
  expiresAt: Date;
  maxBytes: number;
  /** Null: any type that pictures may have. */
  type: PictureType | null;
}

/** The name that routes give the check of these addresses. */
export const UPLOAD_ADDRESS = 'upload';

/** The members of an upload address's query that the signature covers. */
const SIGNED = ['t', 'exp', 'max', 'type'] as const;
type SignedQuery = Record<(typeof SIGNED)[number], string>;

const ANY = '*';

/**
 * Addresses that a picture may be PUT to without any other credential: what they allow stands in them, under an HMAC-SHA-256 over
 * method, path and query whose key is derived (HKDF) from SECRETS_KEY. The first key signs; every key verifies, so that rotation
 * breaks no address.
 */
export class UploadAddresses {
  private readonly keys: Buffer[];

  /** @param baseUrl of the platform host @param secretsKey as SECRETS_KEY has it */
  constructor(
    private readonly baseUrl: string,
    secretsKey: string,
  ) {
    this.keys = derivedKeys(secretsKey, 'uploadAddresses');
  }

  addressOf(grant: UploadGrant): string {
    const query = queryOf(grant);
    const signed = new URLSearchParams({ ...query, sig: this.signature(grant.assetId, query, this.keys[0] as Buffer) });
    return `${this.baseUrl}${pathOf(grant.assetId)}?${signed.toString()}`;
  }

  /** What an address allows. Throws Unauthorized when it is altered or its time is over. */
  grantOf({ params, query }: AskedAddress, now = new Date()): UploadGrant {
    const member = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
    const signed = Object.fromEntries(SIGNED.map((name) => [name, member(name)])) as SignedQuery;
    const { t, exp, max, type } = signed;
    const assetId = uuidOf('ast', params.id ?? '');
    if (assetId === null || !isUuid(t)) throw altered();
    if (!this.keys.some((key) => same(member('sig'), this.signature(assetId, signed, key)))) throw altered();
    const expiresAt = new Date(Number(exp) * 1000);
    if (expiresAt <= now) throw new Unauthorized('The time of this upload address is over: ask for another one.');
    return {
      assetId,
      tenantId: t,
      expiresAt,
      maxBytes: Number(max),
      type: type === ANY ? null : (type as PictureType),
    };
  }

  private signature(assetId: string, query: SignedQuery, key: Buffer): string {
    const signed = ['PUT', pathOf(assetId), ...SIGNED.map((name) => `${name}=${query[name]}`)];
    return createHmac('sha256', key).update(signed.join('\n')).digest('base64url');
  }
}

const pathOf = (assetId: string): string => `/uploads/${typeId('ast', assetId)}`;

function queryOf({ tenantId, expiresAt, maxBytes, type }: UploadGrant): SignedQuery {
  return {
    t: tenantId,
    exp: String(Math.floor(expiresAt.getTime() / 1000)),
    max: String(maxBytes),
    type: type ?? ANY,
  };
}

const altered = () => new Unauthorized('This upload address was altered: use it as presign-upload answered it.');

function same(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
