import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of signing.identity_cancellation: a check that ended under way, until the identity module has ended its session. */
@Entity({ schema: 'signing', name: 'identity_cancellation' })
export class IdentityCancellation {
  /** Of the check. */
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** When the identity module was told last. */
  @Column('timestamptz', { nullable: true }) asked_at: Date | null;
}
