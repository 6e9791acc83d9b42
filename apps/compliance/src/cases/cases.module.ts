import { Module } from '@nestjs/common';
import { TimelineArchives } from './archive/timeline-archives.ts';
import { AssignCase } from './assign-case.ts';
import { CaseNotices } from './case-notices.ts';
import { CaseSweep } from './case-sweep.ts';
import { Cases } from './cases.ts';
import { CommentOnCase } from './comment-on-case.ts';
import { EscalateCase } from './escalate-case.ts';
import { ReopenCase } from './reopen-case.ts';

@Module({
  controllers: [AssignCase, CommentOnCase, EscalateCase, ReopenCase],
  providers: [Cases, CaseNotices, CaseSweep, TimelineArchives],
  exports: [Cases, CaseNotices, TimelineArchives],
})
export class CasesModule {}
