import { Module } from '@nestjs/common';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { CaseResolutions } from './case-resolutions.ts';
import { ComplianceRequests } from './compliance-requests.ts';
import { ComplianceResults } from './compliance-results.ts';
import { ScreeningResultProcessor } from './screening-result.processor.ts';
import { SeedDefault } from './seed-default.ts';

/** What identity asks the compliance module over the queue, and what becomes of the answers. */
@Module({
  imports: [SubjectsModule],
  controllers: [SeedDefault],
  providers: [ComplianceRequests, ComplianceResults, ScreeningResultProcessor, CaseResolutions],
  exports: [ComplianceRequests],
})
export class ComplianceModule {}
