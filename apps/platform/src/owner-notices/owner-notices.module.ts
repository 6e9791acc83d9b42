import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { OwnerNotices } from './owner-notices.ts';

/** Mails to the owners of tenants. */
@Module({ providers: [OwnerNotices], exports: [OwnerNotices] })
export class OwnerNoticesModule {
  constructor(metrics: Metrics, notices: OwnerNotices) {
    mailAge(metrics, 'owner_notice', () => notices.oldestSeconds());
  }
}
