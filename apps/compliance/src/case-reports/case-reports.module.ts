import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { ReportCase } from './report-case.ts';

/** Cases as PDF. */
@Module({ imports: [CasesModule, PdfsModule], controllers: [ReportCase] })
export class CaseReportsModule {}
