import { Module } from '@nestjs/common';
import { OwnerNoticesModule } from '../owner-notices/owner-notices.module.ts';
import { OwnerEmailChanges } from './owner-email-changes.ts';
import { ProveOwnerEmail } from './prove-owner-email.ts';
import { RequestProofMail } from './request-proof-mail.ts';
import { StopOwnerEmail } from './stop-owner-email.ts';

@Module({
  imports: [OwnerNoticesModule],
  controllers: [ProveOwnerEmail, RequestProofMail, StopOwnerEmail],
  providers: [OwnerEmailChanges],
  exports: [OwnerEmailChanges],
})
export class OwnerEmailModule {}
