import type { ConsentClaim, ConsentMethod, WalletLevel } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How the person is asked: by a mail to the address of the wallet, or with a link that the tenant shows. */
export const PRESENTATION_CHANNELS = ['registered_contact', 'redirect', 'qr'] as const;
export type PresentationChannel = (typeof PRESENTATION_CHANNELS)[number];

export const PRESENTATION_STATUSES = ['pending', 'approved', 'declined', 'expired', 'cancelled'] as const;
export type PresentationStatus = (typeof PRESENTATION_STATUSES)[number];

/** A row of identity.wallet_presentation: a tenant's request for what a person keeps, and its answer. Ids are UUIDs. */
@Entity({ schema: 'identity', name: 'wallet_presentation' })
export class Presentation {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** Who asks, as it was called then. */
  @Column('text') tenant_name: string;
  @Column('text') status: PresentationStatus;
  @Column('text') channel: PresentationChannel;
  /** Who is asked; null: anyone who answers, or it is over. */
  @Column('bytea', { nullable: true }) document_index: Buffer | null;
  @Column('text') purpose: string;
  @Column('text', { array: true }) claims: ConsentClaim[];
  @Column('integer') max_age_days: number;
  @Column('text', { nullable: true }) return_url: string | null;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('uuid', { nullable: true }) hold_id: string | null;
  @Column('bytea', { nullable: true }) token_hash: Buffer | null;
  /** What a wallet app fetches, while it can be answered (OpenID4VP): SHA-256 of the token in its address. */
  @Column('bytea', { nullable: true }) app_token_hash: Buffer | null;
  /** The signed request for wallet apps. */
  @Column('text', { nullable: true }) app_request: string | null;
  /** The private key that opens answers of wallet apps, with SECRETS_KEY. */
  @Column('bytea', { nullable: true }) app_key_sealed: Buffer | null;
  /** Of the person who was asked, or who proved that it is theirs; null once it is over. */
  @Column('uuid', { nullable: true }) wallet_id: string | null;
  /** The contact that a code was asked for. */
  @Column('bytea', { nullable: true }) contact_index: Buffer | null;
  @Column('integer') codes_sent: number;
  @Column('integer') wrong_codes: number;
  /** SHA-256 of the token of the browser that proved whose the wallet is. */
  @Column('bytea', { nullable: true }) browser_hash: Buffer | null;
  /** How it proved that. */
  @Column('text', { nullable: true }) proved_by: ConsentMethod | null;
  /** When it did. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) proved_at: Date | null;
  /** Of channel registered_contact: when the person was looked up. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) routed_at: Date | null;
  /** The person said no; the tenant sees that it expires. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) refused_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) reported_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
  @Column('uuid', { nullable: true }) subject_id: string | null;
  @Column('text', { nullable: true }) level: WalletLevel | null;
  /** When the verification was made. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) verified_at: Date | null;
  /** ReleasedClaims, with the key of the subject. */
  @Column('bytea', { nullable: true }) sealed_claims: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) consent_revoked_at: Date | null;
  /** The session whose capture page made the request; null: the tenant did. */
  @Column('uuid', { nullable: true }) session_id: string | null;
  /** SecretBox: the token of the link, for that page, while the request is pending. */
  @Column('bytea', { nullable: true }) link_sealed: Buffer | null;
}
