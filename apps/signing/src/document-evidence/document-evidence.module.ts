import { Module } from '@nestjs/common';
import { EnvelopesModule } from '../envelopes/envelopes.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { SignaturesModule } from '../signatures/signatures.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { ShowEnvelopeEvidence } from './show-envelope-evidence.ts';
import { ShowSignatureEvidence } from './show-signature-evidence.ts';
import { ShownEvidence } from './shown-evidence.ts';

@Module({
  imports: [EnvelopesModule, PdfsModule, SignaturesModule, SigningKeysModule],
  controllers: [ShowEnvelopeEvidence, ShowSignatureEvidence],
  providers: [ShownEvidence],
})
export class DocumentEvidenceModule {}
