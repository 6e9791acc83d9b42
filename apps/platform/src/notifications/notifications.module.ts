import { Module } from '@nestjs/common';
import { OwnNotificationSettings } from './notification-settings.ts';
import { OwnNotifications } from './own-notifications.ts';

/** What members are notified of, in the console and by mail (members/member-mails.ts). */
@Module({ controllers: [OwnNotifications, OwnNotificationSettings] })
export class NotificationsModule {}
