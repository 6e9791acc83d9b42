import type { MailedNotification } from '../notifications/notification-mail.ts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type PasskeyMailKind = 'passkey_added' | 'passkey_removed' | 'passkey_refused' | 'passkeys_reset';
export type MemberMailKind =
  | 'sign_in_code'
  | 'invitation'
  | 'new_device'
  | 'member_added'
  | 'role_changed'
  | 'sso_bypassed'
  | PasskeyMailKind
  | MailedNotification;

/** A row of platform.member_mail: a mail that waits to be sent. */
@Entity({ schema: 'platform', name: 'member_mail' })
export class MemberMail {
  @PrimaryColumn('uuid') id: string;
  @Column('text') kind: MemberMailKind;
  /** Null for a code: whether its address belongs to a member is looked at when the mail is written. */
  @Column('uuid', { nullable: true }) member_id: string | null;
  /** Of a code: the address that asked for it. */
  @Column('text', { nullable: true }) email: string | null;
  /** Of a code the digest of its address, hex; of a notification the case, or JSON with a title; of the others JSON. */
  @Column('text', { nullable: true }) detail: string | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') due_at: Date;
  @Column('integer') attempts: number;
}
