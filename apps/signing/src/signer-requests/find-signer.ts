import { hashSecret } from '@constancia/auth';
import type { TenantStanding } from '@constancia/contracts';
import type { PathCredentials, PathRequest } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { PROOF, tokenHashOf } from './browser-tokens.ts';
import type { FoundSigner, SignerFacts } from './found-signer.ts';
import { openFacts, type SignerSecrets, type SignerValuesRow } from './opened-facts.ts';
import { SignerDrafts } from './signer-drafts.ts';

/** As the store answers it. */
type FactsRow = Omit<SignerFacts, 'draft' | 'prefilled' | 'phone'> & {
  draft_sealed: Buffer | null;
  link_over: boolean;
  standing: TenantStanding;
  proof_idle_seconds: number | null;
} & SignerSecrets &
  SignerValuesRow;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const FIND = `select f.*, s.*, x.*, v.*, o.*, platform_v1.tenant_standing(f.tenant_id) as standing,
         (select to_jsonb(b) from platform_v1.tenant_branding(f.tenant_id) b) as tenant_brand
  from signing.find_signer($1) f cross join lateral signing.signer_session(f.signer_id, $2, $3) s
  cross join lateral signing.signer_secrets(f.signer_id) x
  cross join lateral signing.signer_values(f.signer_id) v
  cross join lateral signing.signer_codes(f.signer_id) o`;
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
    return TOKEN.test(token) ? this.findByHash(hashSecret(token), tokenHashOf(PROOF, request)) : null;
  }

  /** By the SHA-256 of the token, for the holder of a proof. */
  async findByHash(tokenHash: Buffer, proofHash: Buffer | null): Promise<FoundSigner | null> {
    const [row] = await this.database.prepared<FactsRow>('find_signer', FIND, [
      tokenHash,
      proofHash,
      this.config.sealedLinkDays,
    ]);
    if (!row || row.link_over) return null;
    if (row.proof_idle_seconds !== null && row.proof_idle_seconds > MARK_USE_AFTER_SECONDS) {
      await this.database.query('select signing.touch_signer_proof($1)', [proofHash]);
    }
    return { tenantId: row.tenant_id, standing: row.standing, tokenHash, proofHash, facts: await this.factsOf(row) };
  }

  /** The same within a transaction: as the signer stands then, for the holder of a proof. Undefined when the link has ended since. */
  async within(tx: Tx, { tokenHash }: FoundSigner, proofHash: Buffer | null): Promise<SignerFacts | undefined> {
    const [row] = await tx.query<FactsRow>(FIND, [tokenHash, proofHash, this.config.sealedLinkDays]);
    return row && !row.link_over ? this.factsOf(row) : undefined;
  }

  private async factsOf(found: FactsRow): Promise<SignerFacts> {
    const { draft_sealed, link_over: _over, standing: _standing, proof_idle_seconds: _idle, ...row } = found;
    const draft = draft_sealed && this.drafts.open(row.signer_id, draft_sealed);
    return { ...(await openFacts(this.personal, row)), draft };
  }
}
