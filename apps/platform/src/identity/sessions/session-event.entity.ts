import { ChainedRow } from '@constancia/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event of the trail of a session. */
@Entity({ schema: 'identity', name: 'session_event' })
export class SessionEvent extends ChainedRow {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') session_id: string;
  @Column('text', { nullable: true }) actor: string | null;
  @Column('text', { nullable: true }) step: string | null;
  @Column('text', { nullable: true }) from: string | null;
  @Column('text', { nullable: true }) to: string | null;
}
