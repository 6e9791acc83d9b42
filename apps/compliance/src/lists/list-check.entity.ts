import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An import of a version's file, changed or not. */
@Entity({ schema: 'compliance', name: 'list_check' })
export class ListCheck {
  @PrimaryColumn('uuid') version_id: string;
  @Column('uuid', { nullable: true }) tenant_id: string | null;
  @PrimaryColumn('timestamptz') checked_at: Date;
}
