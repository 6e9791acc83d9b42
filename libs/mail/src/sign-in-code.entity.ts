import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of sign_in_code, in a schema that has signInCodeTable: the code of an address that asked for one, whether or not the address is known. */
@Entity('sign_in_code')
export class SignInCode {
  /** A digest of the address, and of what the code is for. */
  @PrimaryColumn('bytea') email_digest: Buffer;
  /** HMAC of the code. */
  @Column('bytea', { nullable: true }) code_hash: Buffer | null;
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  @Column('integer') wrong_attempts: number;
  @Column('timestamptz', { nullable: true }) locked_until: Date | null;
  @Column('timestamptz', { array: true }) sends: Date[];
  @Column('timestamptz') used_at: Date;
}
