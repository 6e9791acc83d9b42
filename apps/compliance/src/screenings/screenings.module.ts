import { Module } from '@nestjs/common';
import { CreateScreening } from './create-screening.ts';
import { DryRun } from './dry-run.ts';
import { GetScreening } from './get-screening.ts';
import { ListScreenings } from './list-screenings.ts';
import { ReplayScreening } from './replay-screening.ts';

@Module({ controllers: [CreateScreening, DryRun, ListScreenings, GetScreening, ReplayScreening] })
export class ScreeningsModule {}
