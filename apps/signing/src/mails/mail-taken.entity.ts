import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mail that counts for the limits of 24 hours (signing.take_mail_room). The table has no primary key: TypeORM only wants one named. */
@Entity({ schema: 'signing', name: 'mail_taken' })
export class MailTaken {
  @PrimaryColumn('uuid') tenant_id: string;
  /** null: it counts for the tenant alone. */
  @Column('bytea', { nullable: true }) address_index: Buffer | null;
  @PrimaryColumn('timestamptz') taken_at: Date;
}
