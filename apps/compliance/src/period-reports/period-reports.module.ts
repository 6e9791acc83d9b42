import { Module } from '@nestjs/common';
import { CaseExportsModule } from '../case-exports/case-exports.module.ts';
import { ListsModule } from '../lists/lists.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { DownloadReportRows } from './download-report-rows.ts';
import { PeriodReports } from './period-reports.ts';
import { ShowPeriodReport } from './show-period-report.ts';

/** Cases and screenings of a period, in totals and row by row. */
@Module({
  imports: [CaseExportsModule, ListsModule, PdfsModule],
  controllers: [ShowPeriodReport, DownloadReportRows],
  providers: [PeriodReports],
})
export class PeriodReportsModule {}
