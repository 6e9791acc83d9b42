import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NotificationKind } from './notification-kinds.ts';

/** A row of platform.notification_settings: what a member has switched off. A member without one gets everything. */
@Entity({ schema: 'platform', name: 'notification_settings' })
export class NotificationSettingsRow {
  @PrimaryColumn('uuid') member_id: string;
  @Column('uuid') tenant_id: string;
  @Column('text', { array: true }) mail_off: NotificationKind[];
  @Column('text', { array: true }) console_off: NotificationKind[];
}
