import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { ScreeningsModule } from '../screenings/screenings.module.ts';
import { ListMonitoredSubjects } from './list-monitored-subjects.ts';
import { Monitoring } from './monitoring.ts';
import { RescreenJobs } from './rescreen-jobs.ts';
import { Rescreening } from './rescreening.ts';
import { RescreeningQueueProcessor } from './rescreening-queue.processor.ts';

/** Subjects are screened again when a list changes. */
@Module({
  imports: [ListsModule, ScreeningsModule],
  controllers: [ListMonitoredSubjects],
  providers: [Monitoring, RescreenJobs, Rescreening, RescreeningQueueProcessor],
})
export class MonitoringModule {}
