import { Database } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { EnvelopeSigner } from '../envelope-records/envelope-signer.entity.ts';
import { openPerson, signerKey } from '../envelope-records/signer-secrets.ts';
import type { TrailLink } from '../trail-archive/archived-event.ts';
import { TrailArchives } from '../trail-archive/trail-archives.ts';
import type { Proof, SealedDocument } from '../signatures/integrity.ts';

export type SealedDocumentRow = Omit<SealedDocument, 'document_key' | 'document_size'> & {
  kind: 'signature' | 'envelope';
  status: 'signed' | 'sealed';
  public_id: string | null;
};

export interface PublicSigner extends Pick<EnvelopeSigner, 'name' | 'role'> {
  status: string;
  signed_at: string | null;
}

/** Bytes in hexadecimal. */
type StoredSigner = PublicSigner & { id: string; sealed_person: string | null; wrapped_key: string | null };

export interface PublicEnvelopeRow extends Proof {
  public_id: string;
  status: string;
  tenant_id: string;
  base_document_sha256: Buffer;
  signers: PublicSigner[];
  trail: TrailLink[];
}

/** What anybody may look up, whosever it is. */
@Injectable()
export class PublicDocuments {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly archives: TrailArchives,
  ) {}

  /** The sealed document, or the revision of one, with this SHA-256 (64 hexadecimal characters, either case). Throws NotFound. */
  async bySha256(sha256: string): Promise<SealedDocumentRow> {
    if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new NotFound();
    const [row] = await this.database.query<SealedDocumentRow>(
      `select * from signing.find_sealed_document(decode($1, 'hex'))
       union all select * from signing.find_document_revision(decode($1, 'hex'))
       limit 1`,
      [sha256],
    );
    if (!row) throw new NotFound();
    return row;
  }

  /** The envelope with this public id, and the display name of its tenant. Throws NotFound, DependencyUnavailable. */
  async envelope(publicId: string): Promise<PublicEnvelopeRow & { tenant_display_name: string }> {
    if (!/^[0-9A-Za-z]{22}$/.test(publicId)) throw new NotFound();
    const [row] = await this.database.query<
      Omit<PublicEnvelopeRow, 'signers'> & { signers: StoredSigner[]; tenant_display_name: string }
    >(
      `select e.*, t.display_name as tenant_display_name
         from signing.find_public_envelope_v2($1) e, platform_v1.tenant_profile(e.tenant_id) t`,
      [publicId],
    );
    if (!row) throw new NotFound();
    const isSealed = row.signers.some(({ sealed_person }) => sealed_person !== null);
    const keyring = isSealed ? await this.personal.tenant(row.tenant_id) : null;
    const signers = row.signers.map((signer) => publicSigner(keyring, signer));
    return { ...row, signers, trail: await this.wholeTrail(row) };
  }

  /** Every trail has a first event: one that begins later, or not at all, is in a file. */
  private async wholeTrail({ tenant_id, public_id, trail }: Omit<PublicEnvelopeRow, 'signers'>): Promise<TrailLink[]> {
    if (trail[0]?.seq === 1) return trail;
    const sql = 'select id from signing.envelope where tenant_id = $1 and public_id = $2';
    const [envelope] = await this.database.tenant(tenant_id, (tx) =>
      tx.query<{ id: string }>(sql, [tenant_id, public_id]),
    );
    return envelope ? [...(await this.archives.links(tenant_id, envelope.id)), ...trail] : trail;
  }
}

function publicSigner(keyring: TenantKeyring | null, stored: StoredSigner): PublicSigner {
  const { id, sealed_person, wrapped_key, ...signer } = stored;
  if (!keyring || sealed_person === null || wrapped_key === null) return signer;
  const key = signerKey(keyring, id, Buffer.from(wrapped_key, 'hex'));
  return { ...signer, name: openPerson(key, id, Buffer.from(sealed_person, 'hex')).name };
}
