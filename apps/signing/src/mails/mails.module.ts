import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { EnvelopeRecordsModule } from '../envelope-records/envelope-records.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { AttachedDocuments } from './attached-documents.ts';
import { MailRoom } from './mail-room.ts';
import { SenderOwners } from './sender-owners.ts';
import { SignerMailLoop } from './signer-mail-loop.ts';
import { SignerMails } from './signer-mails.ts';
import { SignerTexts } from './signer-texts.ts';
import { TextRoom } from './text-room.ts';
import { WaitingMails } from './waiting-mails.ts';

/** The mails and messages to signers: written with what they report, and sent by a loop. */
@Module({
  imports: [EnvelopeRecordsModule, PdfsModule],
  providers: [
    MailRoom,
    TextRoom,
    SignerMails,
    SignerTexts,
    SignerMailLoop,
    WaitingMails,
    SenderOwners,
    AttachedDocuments,
  ],
  exports: [MailRoom, TextRoom, SignerMails, SignerMailLoop, SenderOwners],
})
export class MailsModule {
  constructor(metrics: Metrics, mailLoop: SignerMailLoop) {
    mailAge(metrics, 'signer', () => mailLoop.oldestSeconds());
  }
}
