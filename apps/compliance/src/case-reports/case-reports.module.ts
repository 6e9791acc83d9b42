import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ListsModule } from '../lists/lists.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { ReportCase } from './report-case.ts';
import { ReportRosDraft } from './report-ros-draft.ts';

/** Cases, and ROS drafts, as PDF. */
@Module({ imports: [CasesModule, ListsModule, PdfsModule], controllers: [ReportCase, ReportRosDraft] })
export class CaseReportsModule {}
