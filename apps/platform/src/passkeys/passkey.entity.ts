import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.passkey: a key on a device of a member, with which they sign in. */
@Entity({ schema: 'platform', name: 'passkey' })
export class Passkey {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') member_id: string;
  @Column('bytea') credential_id: Buffer;
  /** COSE key. */
  @Column('bytea') public_key: Buffer;
  /** Of the last sign-in; 0 for authenticators that do not count. */
  @Column('bigint') sign_count: string;
  @Column('text', { array: true }) transports: string[];
  /** As the member named it. */
  @Column('text') name: string;
  /** Whether it is kept in an account, and so on several devices. */
  @Column('boolean') backed_up: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) last_used_at: Date | null;
  /** When it was last refused because its count went back. */
  @Column('timestamptz', { nullable: true }) regressed_at: Date | null;
}
