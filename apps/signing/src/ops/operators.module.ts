import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { TrailArchiveModule } from '../trail-archive/trail-archive.module.ts';
import { SealActions } from './seal-actions.ts';

/** What operators see of signing, on the ops listener. */
@Module({ imports: [OpsModule, TrailArchiveModule], controllers: [SealActions] })
export class OperatorsModule {}
