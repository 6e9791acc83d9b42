import { Module } from '@nestjs/common';
import { CircuitsModule } from '../circuits/circuits.module.ts';
import { EnvelopeRecordsModule } from '../envelope-records/envelope-records.module.ts';
import { MailsModule } from '../mails/mails.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { AuditEnvelope } from './audit-envelope.ts';
import { CreateEnvelope } from './create-envelope.ts';
import { DownloadEnvelope } from './download-envelope.ts';
import { EnvelopeEndings } from './envelope-endings.ts';
import { EnvelopeUnits } from './envelope-units.ts';
import { Envelopes } from './envelopes.ts';
import { EvidenceModule } from '../evidence/evidence.module.ts';
import { TrailArchiveModule } from '../trail-archive/trail-archive.module.ts';
import { ExpirySweep } from './expiry-sweep.ts';
import { GetEnvelope } from './get-envelope.ts';
import { ListEnvelopes } from './list-envelopes.ts';
import { NewEnvelopes } from './new-envelopes.ts';
import { RemindSigner } from './remind-signer.ts';
import { RotateToken } from './rotate-token.ts';
import { VoidEnvelope } from './void-envelope.ts';

@Module({
  imports: [CircuitsModule, EnvelopeRecordsModule, EvidenceModule, MailsModule, PdfsModule, TrailArchiveModule],
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
  providers: [Envelopes, NewEnvelopes, EnvelopeUnits, EnvelopeEndings, ExpirySweep],
  exports: [Envelopes, EnvelopeUnits, EnvelopeEndings],
})
export class EnvelopesModule {}
