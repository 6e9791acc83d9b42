import type { Role } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Locale } from '../locale.ts';

export const MEMBER_STATUSES = ['invited', 'active', 'suspended'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** A row of platform.member: a person who works for a tenant. */
@Entity({ schema: 'platform', name: 'member' })
export class Member {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  /** Unique in the tenant, without regard to case. */
  @Column('text') email: string;
  @Column('text') name: string;
  @Column('text') role: Role;
  @Column('text') status: MemberStatus;
  @Column('text') locale: Locale;
  /** Who invited them: the name of a member or of a key. */
  @Column('text') created_by: string;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) activated_at: Date | null;
  /** Until when the last link of the invitation works; null: none was mailed yet, or the member has been active from the start. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) invitation_ends_at: Date | null;
  /** The account at the tenant's provider to which the member is bound, as SHA-256. */
  @Column('bytea', { nullable: true }) sso_subject: Buffer | null;
  /** Nobody but the tenant's provider has ever shown that the address is theirs: it gets no codes. */
  @Column('boolean') sso_only: boolean;
}
