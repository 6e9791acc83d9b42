import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { ValidationsModule } from '../validations/validations.module.ts';
import { CreateScreening } from './create-screening.ts';
import { DryRun } from './dry-run.ts';
import { GetScreening } from './get-screening.ts';
import { ListScreenings } from './list-screenings.ts';
import { Replay } from './replay.ts';
import { ReplayScreening } from './replay-screening.ts';
import { Screen } from './screen.ts';
import { ScreeningContext } from './screening-context.ts';
import { Screenings } from './screenings.ts';

@Module({
  imports: [ListsModule, ValidationsModule],
  controllers: [CreateScreening, DryRun, ListScreenings, GetScreening, ReplayScreening],
  providers: [Screen, ScreeningContext, Screenings, Replay],
  exports: [Screen, ScreeningContext, Screenings],
})
export class ScreeningsModule {}
