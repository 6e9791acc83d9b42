import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { EnvelopeRecordsModule } from '../envelope-records/envelope-records.module.ts';
import { MailRoom } from './mail-room.ts';
import { SenderOwners } from './sender-owners.ts';
import { SignerMailLoop } from './signer-mail-loop.ts';
import { SignerMails } from './signer-mails.ts';
import { WaitingMails } from './waiting-mails.ts';

/** The mails to signers: written with what they report, and sent by a loop. */
@Module({
  imports: [EnvelopeRecordsModule],
  providers: [MailRoom, SignerMails, SignerMailLoop, WaitingMails, SenderOwners],
  exports: [MailRoom, SignerMails, SignerMailLoop, SenderOwners],
})
export class MailsModule {
  constructor(metrics: Metrics, mailLoop: SignerMailLoop) {
    mailAge(metrics, 'signer', () => mailLoop.oldestSeconds());
  }
}
