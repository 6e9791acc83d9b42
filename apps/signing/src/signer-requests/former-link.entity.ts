import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A link that was replaced: its holder can ask for the new one. */
@Entity({ schema: 'signing', name: 'former_link' })
export class FormerLink {
  @PrimaryColumn('bytea') token_hash: Buffer;
  @Column('uuid') tenant_id: string;
  @Column('uuid') signer_id: string;
  @Column('timestamptz') replaced_at: Date;
}
