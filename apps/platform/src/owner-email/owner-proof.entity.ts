import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A token that proves the address of an owner. */
@Entity({ schema: 'platform', name: 'owner_proof' })
export class OwnerProof {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') token_hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') expires_at: Date;
}
