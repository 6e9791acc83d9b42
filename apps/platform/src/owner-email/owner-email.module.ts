import { Module } from '@nestjs/common';
import { OwnerNoticesModule } from '../owner-notices/owner-notices.module.ts';
import { ProveOwnerEmail } from './prove-owner-email.ts';
import { RequestProofMail } from './request-proof-mail.ts';

@Module({ imports: [OwnerNoticesModule], controllers: [ProveOwnerEmail, RequestProofMail] })
export class OwnerEmailModule {}
