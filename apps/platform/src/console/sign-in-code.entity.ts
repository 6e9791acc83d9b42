import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.sign_in_code: the code of an address that asked for one, whether or not it belongs to a member. */
@Entity({ schema: 'platform', name: 'sign_in_code' })
export class SignInCode {
  /** SHA-256 of the address in lower case. */
  @PrimaryColumn('bytea') email_digest: Buffer;
  /** HMAC of the code. */
  @Column('bytea', { nullable: true }) code_hash: Buffer | null;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  @Column('integer') wrong_attempts: number;
  @Column('timestamptz', { nullable: true }) locked_until: Date | null;
  @Column('timestamptz', { array: true }) sends: Date[];
  @Column('timestamptz') used_at: Date;
}
