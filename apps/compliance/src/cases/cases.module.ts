import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Module } from '@nestjs/common';
import { CaseNotices } from './case-notices.ts';
import { AssignCase } from './assign-case.ts';
import { CaseExports } from './case-export.ts';
import { CaseStats } from './case-stats.ts';
import { Cases } from './cases.ts';
import { CommentOnCase } from './comment-on-case.ts';
import { ConfirmResolution } from './confirm-resolution.ts';
import { EscalateCase } from './escalate-case.ts';
import { ExportCases } from './export-cases.ts';
import { ListCases } from './list-cases.ts';
import { ListExports } from './list-exports.ts';
import { ReopenCase } from './reopen-case.ts';
import { ResolveCase } from './resolve-case.ts';
import { ReturnResolution } from './return-resolution.ts';
import { ShowCase } from './show-case.ts';
import { ShowRosDraft } from './show-ros-draft.ts';

@Module({
  controllers: [
    ListCases,
    CaseStats,
    ExportCases,
    ListExports,
    ShowCase,
    ShowRosDraft,
    AssignCase,
    CommentOnCase,
    EscalateCase,
    ResolveCase,
    ConfirmResolution,
    ReturnResolution,
    ReopenCase,
  ],
  providers: [
    {
      provide: Cases,
      useFactory: (database: Database, personal: PersonalData, notices: CaseNotices) =>
        new Cases(database, personal, (found) => notices.tell(found)),
      inject: [Database, PersonalData, CaseNotices],
    },
    {
      provide: CaseExports,
      useFactory: (database: Database, personal: PersonalData) => new CaseExports(database, personal),
      inject: [Database, PersonalData],
    },
  ],
})
export class CasesModule {}
