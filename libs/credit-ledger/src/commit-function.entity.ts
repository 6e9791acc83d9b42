import { Entity, PrimaryColumn } from 'typeorm';

/** A function that `commit_work` of the schema may call (commitListTables). */
@Entity('commit_function')
export class CommitFunction {
  @PrimaryColumn('text') name: string;
}
