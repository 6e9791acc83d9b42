import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Proof that a subject agreed. Never changed. */
@Entity({ schema: 'identity', name: 'consent_evidence' })
export class ConsentEvidenceRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') session_id: string;
  @Column('uuid') subject_id: string;
  /** es-CO or en. */
  @Column('text') locale: string;
  @Column('text') text_version: string;
  @Column('bytea') text_sha256: Buffer;
  @Column('text', { array: true }) purposes: string[];
  /** Biometric data are sensitive: consent to them is given apart (Ley 1581, art. 6). */
  @Column('boolean') sensitive_data: boolean;
  @Column('bytea') sealed_origin: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) given_at: Date;
}
