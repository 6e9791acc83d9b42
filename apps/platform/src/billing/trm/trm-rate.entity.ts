import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The official exchange rate (TRM), COP for a USD, of the days from valid_from to valid_to. */
@Entity({ schema: 'platform', name: 'trm_rate' })
export class TrmRate {
  @PrimaryColumn('date') valid_from: string;
  @Column('date') valid_to: string;
  @Column('numeric') value: string;
  @Column('text') source: 'socrata' | 'soap';
  @Column({ type: 'timestamptz', precision: 3 }) fetched_at: Date;
}
