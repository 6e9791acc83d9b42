import { Module } from '@nestjs/common';
import { PdfsModule } from '../pdfs.module.ts';
import { ConfigurationRoutes } from './configuration-routes.ts';
import { ImportedPdfs } from './imported-pdfs.ts';

@Module({ imports: [PdfsModule], controllers: [ConfigurationRoutes], providers: [ImportedPdfs] })
export class ConfigurationModule {}
