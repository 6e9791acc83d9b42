import { type ConsentMethod, walletRecordContext } from '@constancia/contracts';
import { SecretBox } from '@constancia/kernel';

/** What a wallet's sealed records hold: JSON. */
export interface WalletContact {
  email: string;
}

export interface KeptVerification {
  document_type: string;
  document_country: string;
  document_number: string;
  full_name: string | null;
  /** YYYY-MM-DD. */
  birth_date: string | null;
  /** The name of the tenant that asked for the verification. */
  verified_for: string;
}

export interface ConsentOrigin {
  /** The name of the tenant that asked for the verification. */
  verified_for: string;
  ip: string;
  user_agent: string | null;
  /** Of a consent to give something to a tenant. */
  shared?: SharedRecord;
}

/** What was given to whom. */
export interface SharedRecord {
  /** UUIDs. */
  tenant_id: string;
  /** The request that the person answered. */
  presentation_id?: string;
  /** Or the grant of the OpenID provider that the application got. */
  grant_id?: string;
  /** UUID of that application. */
  client_id?: string;
  tenant_name: string;
  purpose: string;
  claims: string[];
  /** How the person proved that the wallet is theirs. */
  method: ConsentMethod | 'credential' | null;
  /** Of a person in a frame of the tenant's page: the origin of that page, as the tenant stated it. */
  frame_origin?: string;
}

export interface PasskeyName {
  name: string;
}

/** What each record is, and what it is bound to beside the wallet. */
export const CONTACT = 'contact';
export const verificationRecord = (id: string): string => `verification:${id}`;
export const consentRecord = (id: string): string => `consent:${id}`;
export const passkeyRecord = (id: string): string => `passkey:${id}`;

/** Encrypts a record with the key of its wallet (AES-256-GCM). */
export function sealForWallet(key: Buffer, walletId: string, record: string, value: object): Buffer {
  return sealBytesForWallet(key, walletId, record, Buffer.from(JSON.stringify(value)));
}

/** The same for bytes, as pictures are. */
export function sealBytesForWallet(key: Buffer, walletId: string, record: string, bytes: Buffer): Buffer {
  return new SecretBox([key]).seal(bytes, walletRecordContext(walletId, record));
}

/** Throws when it was altered, or belongs elsewhere. */
export function openOfWallet<T extends object>(key: Buffer, walletId: string, record: string, sealed: Buffer): T {
  return JSON.parse(new SecretBox([key]).open(sealed, walletRecordContext(walletId, record)).toString('utf8')) as T;
}
