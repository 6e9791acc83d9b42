import { Module } from '@nestjs/common';
import { AssignCase } from './assign-case.ts';
import { CaseNotices } from './case-notices.ts';
import { CaseStats } from './case-stats.ts';
import { CaseSweep } from './case-sweep.ts';
import { Cases } from './cases.ts';
import { CommentOnCase } from './comment-on-case.ts';
import { EscalateCase } from './escalate-case.ts';
import { ListCases } from './list-cases.ts';
import { NameWordsSweep } from './name-words-sweep.ts';
import { ReopenCase } from './reopen-case.ts';

@Module({
  controllers: [ListCases, CaseStats, AssignCase, CommentOnCase, EscalateCase, ReopenCase],
  providers: [Cases, CaseNotices, CaseSweep, NameWordsSweep],
  exports: [Cases, CaseNotices],
})
export class CasesModule {}
