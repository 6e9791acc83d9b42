import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { SuspensionActions } from './suspension-actions.ts';

/** Operators suspend tenants and resume them, on the ops listener. */
@Module({ imports: [OpsModule], controllers: [SuspensionActions] })
export class SuspensionsModule {}
