import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { CaseActions } from './case-actions.ts';
import { LaidDownFiles } from './laid-down-files.ts';
import { ListActions } from './list-actions.ts';

/** What operators see of compliance and do there, on the ops listener. */
@Module({ imports: [OpsModule], controllers: [ListActions, CaseActions], providers: [LaidDownFiles] })
export class OperatorsModule {}
