import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A head of a timeline that the journal of its tenant names. */
@Entity({ schema: 'compliance', name: 'case_anchor' })
export class CaseAnchor {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') case_id: string;
  @PrimaryColumn('integer') seq: number;
  @Column('text') hash: string;
  @Column('integer') journal_seq: number;
}
