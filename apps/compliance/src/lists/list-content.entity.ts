import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A piece of the contents of a version. */
@Entity({ schema: 'compliance', name: 'list_content' })
export class ListContent {
  @PrimaryColumn('uuid') version_id: string;
  @Column('uuid', { nullable: true }) tenant_id: string | null;
  @PrimaryColumn('text') part: 'entries' | 'changes' | 'index';
  @PrimaryColumn('text') matcher_version: string;
  @PrimaryColumn('integer') seq: number;
  @Column('bytea') bytes: Buffer;
  /** null: in the clear. Else the key of this piece, wrapped with the tenant's. */
  @Column('bytea', { nullable: true }) wrapped_key: Buffer | null;
}
