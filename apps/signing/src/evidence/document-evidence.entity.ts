import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of signing.document_evidence: what is due for the long-term evidence of a sealed document. The sealing worker writes it. */
@Entity({ schema: 'signing', name: 'document_evidence' })
export class DocumentEvidence {
  @PrimaryColumn('text') kind: 'signature' | 'envelope';
  @PrimaryColumn('uuid') document_id: string;
  @Column('uuid') tenant_id: string;
  /** null: as it was sealed. */
  @Column('text', { nullable: true }) level: 'B-LT' | 'B-LTA' | null;
  /** Since when it waits, or when it will be renewed. */
  @Column('timestamptz') due_at: Date;
  @Column('timestamptz', { select: false }) retry_at: Date;
  @Column('integer') attempts: number;
  /** What it waits for. */
  @Column('text', { nullable: true }) last_setback: string | null;
  @Column('uuid', { nullable: true, select: false }) lease_token: string | null;
  @Column('timestamptz') created_at: Date;
}
