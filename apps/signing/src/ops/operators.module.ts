import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { SealActions } from './seal-actions.ts';

/** What operators see of signing, on the ops listener. */
@Module({ imports: [OpsModule], controllers: [SealActions] })
export class OperatorsModule {}
