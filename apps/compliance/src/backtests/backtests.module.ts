import { Module } from '@nestjs/common';
import { Backtest } from './backtest.ts';
import { BacktestValidation } from './backtest-validation.ts';

@Module({ controllers: [BacktestValidation], providers: [Backtest] })
export class BacktestsModule {}
