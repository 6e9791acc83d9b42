import { Module } from '@nestjs/common';
import { SigningKeysModule } from '../signing-keys/signing-keys.module.ts';
import { TrailArchiveModule } from '../trail-archive/trail-archive.module.ts';
import { FindByHash } from './find-by-hash.ts';
import { Proofs } from './proof-view.ts';
import { PublicDocuments } from './public-documents.ts';
import { ShowTrail } from './show-trail.ts';

@Module({
  imports: [SigningKeysModule, TrailArchiveModule],
  controllers: [FindByHash, ShowTrail],
  providers: [PublicDocuments, Proofs],
})
export class VerificationModule {}
