import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { TemplatesModule } from '../templates/templates.module.ts';
import { CreateSignature } from './create-signature.ts';
import { DownloadDocument } from './download-document.ts';
import { GetSignature } from './get-signature.ts';
import { ListSignatures } from './list-signatures.ts';
import { SealingHints } from './sealing-hints.ts';
import { Signatures } from './signatures.ts';
import { VerifySignature } from './verify-signature.ts';

@Module({
  imports: [EvidenceModule, TemplatesModule, SigningKeysModule, PdfsModule],
  controllers: [CreateSignature, ListSignatures, GetSignature, DownloadDocument, VerifySignature],
  providers: [Signatures, SealingHints],
  exports: [SealingHints, Signatures],
})
export class SignaturesModule {}
