import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mail with a recovery token that is to go out. */
@Entity({ schema: 'platform', name: 'recovery_request' })
export class RecoveryRequest {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('bytea') email_digest: Buffer;
  @Column('integer') attempts: number;
  @Column('timestamptz') due_at: Date;
  @Column('timestamptz') created_at: Date;
}
