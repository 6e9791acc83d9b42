import { createHash } from 'node:crypto';
import type { CredentialHolder, PathCredentials, PathRequest } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import type { AuthMethod, CircuitField, DocumentAccess } from '../circuits/circuit-rows.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope-rows.ts';
import type { EnvelopeStatus, SignerStatus } from '../envelope-records/envelope-states.ts';
import type { FieldValues } from './field-values.ts';
import { openFacts, type SignerSecrets } from './opened-facts.ts';
import { SignerDrafts } from './signer-drafts.ts';
import { proofHashOf } from './signer-proofs.ts';

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
  document_shown_at: Date | null;
  /** Keyed digest of the values that were signed. */
  values_digest: Buffer | null;
  /** What the proof that came with the request covers; null without a valid one. */
  proof_methods: AuthMethod[] | null;
  proof_created_at: Date | null;
  proof_expires_at: Date | null;
  /** What was entered so far; null without a proof of all methods. */
  draft: FieldValues | null;
}

/** As the store answers it. */
type FactsRow = Omit<SignerFacts, 'draft'> & {
  draft_sealed: Buffer | null;
  link_over: boolean;
  proof_idle_seconds: number | null;
} & SignerSecrets;

/** The signer that a link belongs to, as the look-up of its token found it. */
export interface FoundSigner extends CredentialHolder {
  /** SHA-256 of the token. */
  tokenHash: Buffer;
  /** SHA-256 of the proof that came with the request, whether it is valid or not. */
  proofHash: Buffer | null;
  facts: SignerFacts;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const FIND = `select f.*, s.*, x.*
  from signing.find_signer($1) f cross join lateral signing.signer_session(f.signer_id, $2, $3) s
  cross join lateral signing.signer_secrets(f.signer_id) x`;
/** A proof that was used within this time is not marked as used again. */
const MARK_USE_AFTER_SECONDS = 30;

/**
 * Finds signers by the tokens of their links, in one round trip. No token that is malformed, unknown, replaced, or of an envelope
 * that is voided or past its time finds anything, nor one that was stopped, or of an envelope that was sealed long ago.
 */
@Injectable()
export class SignersByToken implements PathCredentials {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly drafts: SignerDrafts,
    private readonly config: SigningConfig,
  ) {}

  async find(token: string, request: PathRequest): Promise<FoundSigner | null> {
    if (!TOKEN.test(token)) return null;
    const tokenHash = createHash('sha256').update(token).digest();
    const proofHash = proofHashOf(request);
    const [row] = await this.database.prepared<FactsRow>('find_signer', FIND, [
      tokenHash,
      proofHash,
      this.config.sealedLinkDays,
    ]);
    if (!row || row.link_over) return null;
    if (row.proof_idle_seconds !== null && row.proof_idle_seconds > MARK_USE_AFTER_SECONDS) {
      await this.database.query('select signing.touch_signer_proof($1)', [proofHash]);
    }
    return { tenantId: row.tenant_id, tokenHash, proofHash, facts: await this.factsOf(row) };
  }

  /** The same within a transaction: as the signer stands then, for the holder of a proof. Undefined when the link has ended since. */
  async within(tx: Tx, { tokenHash }: FoundSigner, proofHash: Buffer | null): Promise<SignerFacts | undefined> {
    const [row] = await tx.query<FactsRow>(FIND, [tokenHash, proofHash, this.config.sealedLinkDays]);
    return row && !row.link_over ? this.factsOf(row) : undefined;
  }

  private async factsOf(found: FactsRow): Promise<SignerFacts> {
    const { draft_sealed, link_over: _over, proof_idle_seconds: _idle, ...row } = found;
    const draft = draft_sealed && this.drafts.open(row.signer_id, draft_sealed);
    return { ...(await openFacts(this.personal, row)), draft };
  }
}
