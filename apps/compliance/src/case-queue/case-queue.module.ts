import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { AssignCases } from './assign-cases.ts';
import { CaseStats } from './case-stats.ts';
import { ListCases } from './list-cases.ts';
import { NameWordsSweep } from './name-words-sweep.ts';

/** The cases of a tenant as a queue: found by filters and words, counted, and assigned many at once. */
@Module({
  imports: [CasesModule],
  controllers: [ListCases, CaseStats, AssignCases],
  providers: [NameWordsSweep],
})
export class CaseQueueModule {}
