import { Module } from '@nestjs/common';
import { EnvelopesModule } from '../envelopes/envelopes.module.ts';
import { MailsModule } from '../mails/mails.module.ts';
import { ClosedTenantsSweep } from './closed-tenants-sweep.ts';
import { CreateErasure } from './create-erasure.ts';
import { Erasure } from './erasure.ts';
import { ErasureRequests } from './erasure-requests.ts';
import { ErasureSweep } from './erasure-sweep.ts';
import { GetErasure } from './get-erasure.ts';
import { RetentionSweep } from './retention-sweep.ts';

@Module({
  imports: [EnvelopesModule, MailsModule],
  controllers: [CreateErasure, GetErasure],
  providers: [Erasure, ErasureRequests, ErasureSweep, RetentionSweep, ClosedTenantsSweep],
})
export class ErasuresModule {}
