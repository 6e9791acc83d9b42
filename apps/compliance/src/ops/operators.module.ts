import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ListsModule } from '../lists/lists.module.ts';
import { ScreeningsModule } from '../screenings/screenings.module.ts';
import { CaseActions } from './case-actions.ts';
import { LaidDownFiles } from './laid-down-files.ts';
import { ListActions } from './list-actions.ts';

/** What operators see of compliance and do there, on the ops listener. */
@Module({
  imports: [OpsModule, CasesModule, ListsModule, ScreeningsModule],
  controllers: [ListActions, CaseActions],
  providers: [LaidDownFiles],
})
export class OperatorsModule {}
