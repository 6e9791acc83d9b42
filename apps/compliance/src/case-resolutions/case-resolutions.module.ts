import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ConfirmResolution } from './confirm-resolution.ts';
import { ResolveCase } from './resolve-case.ts';
import { ReturnResolution } from './return-resolution.ts';
import { ShowRosDraft } from './show-ros-draft.ts';
import { WithdrawResolution } from './withdraw-resolution.ts';

/** How cases end: a resolution, confirmed by a second person where four eyes are required, and the draft of its report. */
@Module({
  imports: [CasesModule],
  controllers: [ShowRosDraft, ResolveCase, ConfirmResolution, ReturnResolution, WithdrawResolution],
})
export class CaseResolutionsModule {}
