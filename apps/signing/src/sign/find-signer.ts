import { createHash } from 'node:crypto';
import type { CredentialHolder, PathCredentials } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import type { AuthMethod, CircuitField, DocumentAccess, EnvelopeLocale } from '../envelopes/envelope-rows.ts';
import type { EnvelopeStatus, SignerStatus } from '../envelopes/envelope-states.ts';

/** What one signer may know of the envelope: nothing of the others. Ids are UUIDs. */
export interface SignerFacts {
  tenant_id: string;
  tenant_display_name: string;
  envelope_id: string;
  public_id: string;
  envelope_status: EnvelopeStatus;
  subject: string | null;
  message: string | null;
  locale: EnvelopeLocale;
  expires_at: Date;
  signer_id: string;
  role: string;
  name: string | null;
  email: string;
  status: SignerStatus;
  auth: AuthMethod[];
  auth_done: AuthMethod[];
  consented_at: Date | null;
  signed_at: Date | null;
  otp_sent: boolean;
  otp_expires_at: Date | null;
  otp_attempts: number;
  otp_sends: Date[];
  code_misses: number;
  code_attempts: number;
  code_locked_until: Date | null;
  field_values: Record<string, string | boolean>;
  document_shown_sha256: Buffer | null;
  /** The signer's own, in their order. */
  fields: CircuitField[];
  page_count: number;
  base_pdf_sha256: Buffer;
  base_pdf_key: string;
  document_access: DocumentAccess;
  document_sha256: Buffer | null;
  document_key: string | null;
}

/** The signer that a link belongs to, as the look-up of its token found it. */
export interface FoundSigner extends CredentialHolder {
  /** SHA-256 of the token. */
  tokenHash: Buffer;
  facts: SignerFacts;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const FIND = 'select * from signing.find_signer($1)';

/**
 * Finds signers by the tokens of their links, in one round trip. No token that is malformed, unknown, replaced, or of an envelope
 * that is voided or past its time finds anything.
 */
export class SignersByToken implements PathCredentials {
  constructor(private readonly database: Database) {}

  async find(token: string): Promise<FoundSigner | null> {
    if (!TOKEN.test(token)) return null;
    const tokenHash = createHash('sha256').update(token).digest();
    const [facts] = await this.database.prepared<SignerFacts>('find_signer', FIND, [tokenHash]);
    return facts ? { tenantId: facts.tenant_id, tokenHash, facts } : null;
  }
}

/** The same within a transaction: as the signer stands then. */
export async function factsWithin(tx: Tx, tokenHash: Buffer): Promise<SignerFacts | undefined> {
  const [facts] = await tx.query<SignerFacts>(FIND, [tokenHash]);
  return facts;
}
