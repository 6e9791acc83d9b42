import { ChainedRow } from '@constancia/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event of the trail of an envelope; the members of the chain are those of every chain. */
@Entity({ schema: 'signing', name: 'envelope_event' })
export class EnvelopeEvent extends ChainedRow {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') envelope_id: string;
  /** TypeID. */
  @Column('text', { nullable: true }) signer_id: string | null;
  @Column('text', { nullable: true }) role: string | null;
  @Column('text', { nullable: true }) ip: string | null;
  @Column('text', { nullable: true }) user_agent: string | null;
}
