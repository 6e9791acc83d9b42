import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a signer has entered and not signed yet, sealed. */
@Entity({ schema: 'signing', name: 'signer_draft' })
export class SignerDraft {
  @PrimaryColumn('uuid') signer_id: string;
  @Column('uuid') tenant_id: string;
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz') updated_at: Date;
}
