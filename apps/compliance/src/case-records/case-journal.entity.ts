import { ChainedRow } from '@constancia/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What concerns all cases of a tenant: one chain per tenant. */
@Entity({ schema: 'compliance', name: 'case_journal' })
export class CaseJournal extends ChainedRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { nullable: true }) actor: string | null;
}
