import type { EmbedKind, EmbedTheme, PersonLocale } from '@constancia/contracts';
import { Column, PrimaryColumn } from 'typeorm';

/** The columns of a module's table of embed sessions (embedSessionSchema): a page of ours, shown in a frame of a tenant's page. */
export abstract class EmbedSessionRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') kind: EmbedKind;
  /** What it shows. */
  @Column('uuid') target_id: string;
  @Column('bytea') token_hash: Buffer;
  @Column('text', { array: true }) allowed_origins: string[];
  @Column('text', { nullable: true }) locale: PersonLocale | null;
  @Column('jsonb') theme: EmbedTheme;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) revoked_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) exchanged_at: Date | null;
  /** Origin of the page that holds the frame. */
  @Column('text', { nullable: true }) parent_origin: string | null;
  /** SHA-256 of the token of the one frame that opened it. */
  @Column('bytea', { nullable: true }) access_hash: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) access_used_at: Date | null;
}
