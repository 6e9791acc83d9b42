import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.status_list_pool: the indexes of the list that is filled at present, in the random order in which they are allotted. */
@Entity({ schema: 'identity', name: 'status_list_pool' })
export class StatusListPool {
  @PrimaryColumn('uuid') list_id: string;
  /** Three bytes an index. */
  @Column('bytea') shuffled: Buffer;
  /** How many of them are allotted. */
  @Column('integer') taken: number;
}
