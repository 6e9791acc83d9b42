import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { AttachFile } from './attach-file.ts';
import { AttachmentChecks } from './attachment-checks.ts';
import { CaseAttachments } from './case-attachments.ts';
import { ReadAttachments } from './read-attachments.ts';

/** Files that are attached to cases. */
@Module({
  imports: [CasesModule, PdfsModule],
  controllers: [AttachFile, ReadAttachments],
  providers: [AttachmentChecks, CaseAttachments],
})
export class CaseAttachmentsModule {}
