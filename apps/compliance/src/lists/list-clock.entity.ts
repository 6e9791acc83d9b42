import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Moves whenever what is active changes: one row. */
@Entity({ schema: 'compliance', name: 'list_clock' })
export class ListClock {
  @PrimaryColumn('boolean') only_row: boolean;
  @Column('bigint') ticks: number;
}
