import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { RequestApiKeyRecovery } from './request-api-key-recovery.ts';
import { RecoveryMails } from './send-recovery-mails.ts';

/** Tokens by mail, for owners who lost their key. */
@Module({ controllers: [RequestApiKeyRecovery], providers: [RecoveryMails] })
export class RecoveryModule {
  constructor(metrics: Metrics, mails: RecoveryMails) {
    mailAge(metrics, 'recovery', () => mails.oldestSeconds());
  }
}
