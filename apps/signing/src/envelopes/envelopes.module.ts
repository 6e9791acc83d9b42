import { Module } from '@nestjs/common';
import { AuditEnvelope } from './audit-envelope.ts';
import { CreateEnvelope } from './create-envelope.ts';
import { DownloadEnvelope } from './download-envelope.ts';
import { GetEnvelope } from './get-envelope.ts';
import { ListEnvelopes } from './list-envelopes.ts';
import { NewEnvelopes } from './new-envelopes.ts';
import { RemindSigner } from './remind-signer.ts';
import { RotateToken } from './rotate-token.ts';
import { VoidEnvelope } from './void-envelope.ts';

@Module({
  controllers: [
    CreateEnvelope,
    ListEnvelopes,
    GetEnvelope,
    DownloadEnvelope,
    AuditEnvelope,
    VoidEnvelope,
    RemindSigner,
    RotateToken,
  ],
  providers: [NewEnvelopes],
})
export class EnvelopesModule {}
