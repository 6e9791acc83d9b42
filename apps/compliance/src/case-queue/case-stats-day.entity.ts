import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the cases that were resolved on a day (UTC) count. Read by statistics, written by functions of the schema alone. */
@Entity({ schema: 'compliance', name: 'case_stats_day' })
export class CaseStatsDay {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('date') day: string;
  @Column('integer') resolved: number;
  @Column('integer') breached: number;
  @Column('integer') drafted: number;
  /** How long they took: buckets of compliance.resolution_bucket in order, and how many took no longer. */
  @Column('smallint', { array: true }) buckets: number[];
  @Column('integer', { array: true }) upto: number[];
}
