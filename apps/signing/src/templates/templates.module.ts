import { Module } from '@nestjs/common';
import { PdfsModule } from '../pdfs.module.ts';
import { DeleteTemplate } from './delete-template.ts';
import { DownloadTemplate } from './download-template.ts';
import { GetTemplate } from './get-template.ts';
import { ListTemplates } from './list-templates.ts';
import { Templates } from './templates.ts';
import { UploadTemplate } from './upload-template.ts';

@Module({
  imports: [PdfsModule],
  controllers: [UploadTemplate, ListTemplates, GetTemplate, DownloadTemplate, DeleteTemplate],
  providers: [Templates],
  exports: [Templates],
})
export class TemplatesModule {}
