import { Module } from '@nestjs/common';
import { BacktestValidation } from './backtest-validation.ts';

@Module({ controllers: [BacktestValidation] })
export class BacktestsModule {}
