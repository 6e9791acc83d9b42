import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of signing.identity_cancellation: a check that ended under way, until the identity module has ended its session. */
@Entity({ schema: 'signing', name: 'identity_cancellation' })
export class IdentityCancellation {
  /** Of the check. */
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** When the cancellation was sent last; null: not yet. */
  @Column('timestamptz', { nullable: true }) sent_at: Date | null;
}
