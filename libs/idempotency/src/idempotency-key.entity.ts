import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An Idempotency-Key of a tenant and its answer (idempotencySchema). A row without a status is a claim that runs, or holds an owner's
 * answer (`sealed`; an earlier release takes it for a running one). */
@Entity('idempotency_key')
export class IdempotencyKey {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('uuid') key: string;
  @Column('bytea') fingerprint: Buffer;
  @Column('integer', { nullable: true }) status: number | null;
  @Column('jsonb') headers: Record<string, string>;
  @Column('bytea', { nullable: true }) body: Buffer | null;
  @Column('boolean') sealed: boolean;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
