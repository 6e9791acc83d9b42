import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A table that `commit_work` of the schema may insert into, and the columns (commitListTables). */
@Entity('commit_table')
export class CommitTable {
  @PrimaryColumn('text') name: string;
  @Column('text', { array: true }) columns: string[];
}
