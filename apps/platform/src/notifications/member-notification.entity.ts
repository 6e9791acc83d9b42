import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationKind } from './notification-kinds.ts';

/** A row of platform.member_notification: that a member was notified, in the console, by mail, or both. */
@Entity({ schema: 'platform', name: 'member_notification' })
export class MemberNotification {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') member_id: string;
  @Column('text') kind: NotificationKind;
  /** The case, the validation, the session, the envelope or the endpoint; null for the others. */
  @Column('uuid', { nullable: true }) ref_id: string | null;
  /** The name of the envelope's circuit, the code of the validation, or the host of the endpoint; a case or a session has none. */
  @Column('text', { nullable: true }) title: string | null;
  /** What happens once: nobody is notified of it twice. */
  @Column('text') occasion: string;
  @Column('boolean') in_console: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) read_at: Date | null;
  /** When what it asks for was done, by whomever: it is not unread any more. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) settled_at: Date | null;
}
