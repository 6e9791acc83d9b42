import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.status_list: a list of statuses of credentials, and the token that it was signed as last. */
@Entity({ schema: 'identity', name: 'status_list' })
export class StatusListRow {
  @PrimaryColumn('uuid') id: string;
  /** How many statuses it has. */
  @Column('integer') size: number;
  /** Counts its changes. */
  @Column('integer') version: number;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column('text', { nullable: true }) token: string | null;
  @Column('integer', { nullable: true }) token_version: number | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) signed_at: Date | null;
}
