import type { DocumentType } from '@constancia/reference-data';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { LastOutcome, SessionStatus } from './session-states.ts';

/** A decision of ours that the compliance module has not confirmed yet. */
export interface CaseRequest {
  request_id: string;
  decision: 'approve' | 'reject';
  reason: string;
  actor: string;
  /** Of the request that decided. */
  traceparent?: string | null;
}

/** A row of identity.flow_session. Ids are UUIDs; screening_id and case_id TypeIDs of compliance. */
@Entity({ schema: 'identity', name: 'flow_session' })
export class FlowSessionRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') flow_id: string;
  @Column('uuid') subject_id: string;
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('text') document_type: DocumentType;
  @Column('text') document_country: string;
  /** Sandbox only: the trigger that its document number is. */
  @Column('text', { nullable: true }) trigger: string | null;
  @Column('bytea') token_hash: Buffer;
  @Column('text') status: SessionStatus;
  @Column('integer', { nullable: true }) current_step: number | null;
  @Column('jsonb') attempts: Record<string, number>;
  @Column('text', { nullable: true }) last_outcome: LastOutcome | null;
  @Column('text', { nullable: true }) last_reason: string | null;
  @Column('text', { nullable: true }) rejection_reason: string | null;
  @Column('text', { array: true }) flags: string[];
  @Column('bytea', { nullable: true }) sealed_context: Buffer | null;
  /** The kept verification that stands for its document and face. */
  @Column('uuid', { nullable: true }) presentation_id: string | null;
  @Column('text', { array: true }) list_hits: string[];
  @Column('text', { nullable: true }) screening_id: string | null;
  @Column('text', { nullable: true }) case_id: string | null;
  @Column('jsonb', { nullable: true }) case_request: CaseRequest | null;
  @Column('timestamptz', { nullable: true }) case_asked_at: Date | null;
  @Column('integer') version: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  /** When it ended, well or not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) completed_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) forgotten_at: Date | null;
  /** A review was made that is not carried out yet. */
  @Column('boolean') pending_approval: boolean;
}
