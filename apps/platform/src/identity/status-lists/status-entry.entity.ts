import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.status_entry: a status that is not 0. */
@Entity({ schema: 'identity', name: 'status_entry' })
export class StatusEntry {
  @PrimaryColumn('uuid') list_id: string;
  @PrimaryColumn('integer') idx: number;
  @Column('smallint') status: number;
}
