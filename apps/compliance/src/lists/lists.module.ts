import { Module } from '@nestjs/common';
import { ListAges } from './dated-lists.ts';
import { ListBuilds } from './list-builds.ts';
import { ListContents } from './list-contents.ts';
import { ListImports } from './list-imports.ts';
import { ListJobRunner, ListJobThreads } from './list-job-runner.ts';
import { ListMetrics } from './list-metrics.ts';
import { Lists } from './lists.ts';
import { SandboxLists } from './sandbox-lists.ts';
import { ShowLists } from './show-lists.ts';

/** The restrictive lists: imported in versions, and loaded to be screened against. */
@Module({
  controllers: [ShowLists],
  providers: [
    Lists,
    ListImports,
    ListAges,
    ListBuilds,
    ListContents,
    { provide: ListJobRunner, useClass: ListJobThreads },
    ListMetrics,
    SandboxLists,
  ],
  exports: [Lists, ListAges, ListImports, ListContents, ListJobRunner],
})
export class ListsModule {}
