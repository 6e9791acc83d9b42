import { Module } from '@nestjs/common';
import { EnvelopeRecordsModule } from '../envelope-records/envelope-records.module.ts';
import { EnvelopesModule } from '../envelopes/envelopes.module.ts';
import { MailsModule } from '../mails/mails.module.ts';
import { ReminderSweep } from './reminder-sweep.ts';
import { StopReminders } from './stop-reminders.ts';

/** Reminders by the schedule of an envelope. */
@Module({
  imports: [EnvelopesModule, EnvelopeRecordsModule, MailsModule],
  controllers: [StopReminders],
  providers: [ReminderSweep],
})
export class RemindersModule {}
