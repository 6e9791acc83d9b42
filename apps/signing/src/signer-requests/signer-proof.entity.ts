import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthMethod } from '../circuits/circuit.entity.ts';

/** What a browser proved of a signer. */
@Entity({ schema: 'signing', name: 'signer_proof' })
export class SignerProof {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('uuid') signer_id: string;
  @Column('text', { array: true }) methods: AuthMethod[];
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') used_at: Date;
}
