import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A code to a phone that counts for the limits of 24 hours (signing.take_text_room). */
@Entity({ schema: 'signing', name: 'text_taken' })
export class TextTaken {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** HMAC of the number, the same for every tenant. */
  @Column('bytea') number_index: Buffer;
  @Column('timestamptz') taken_at: Date;
}
