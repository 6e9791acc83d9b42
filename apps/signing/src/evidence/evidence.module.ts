import { Module } from '@nestjs/common';
import { DocumentRevisions } from './document-revisions.ts';

@Module({ providers: [DocumentRevisions], exports: [DocumentRevisions] })
export class EvidenceModule {}
