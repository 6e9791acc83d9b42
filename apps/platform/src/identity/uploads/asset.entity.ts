import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a picture shows. */
export const ASSET_KINDS = ['doc_front', 'doc_back', 'selfie', 'liveness_frame'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

/** What a picture may come as. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A row of identity.asset. Ids are UUIDs. */
@Entity({ schema: 'identity', name: 'asset' })
export class Asset {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') subject_id: string;
  @Column('text') kind: AssetKind;
  @Column('text') status: 'awaiting' | 'stored' | 'deleting' | 'deleted';
  /** Uploaded to the object store itself. */
  @Column('boolean') direct: boolean;
  @Column('text', { nullable: true }) declared_type: PictureType | null;
  @Column('integer', { nullable: true }) declared_bytes: number | null;
  /** Uploads that were begun. */
  @Column('integer') version: number;
  @Column('timestamptz', { nullable: true }) claim_until: Date | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('timestamptz', { nullable: true }) swept_at: Date | null;
  @Column('bytea', { nullable: true }) sha256: Buffer | null;
  @Column('integer', { nullable: true }) bytes: number | null;
  @Column('text', { nullable: true }) content_type: string | null;
  @Column('integer', { nullable: true }) width: number | null;
  @Column('integer', { nullable: true }) height: number | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) stored_at: Date | null;
  @Column('text', { nullable: true }) delete_reason: 'unused' | 'refused' | 'retention' | 'erasure' | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) deleted_at: Date | null;
}
