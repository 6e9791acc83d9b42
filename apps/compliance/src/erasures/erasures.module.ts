import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ScreeningsModule } from '../screenings/screenings.module.ts';
import { BlockedData } from './blocked-data.ts';
import { ClosedTenantsSweep } from './closed-tenants-sweep.ts';
import { CreateErasure } from './create-erasure.ts';
import { DutySweep } from './duty-sweep.ts';
import { Erasure } from './erasure.ts';
import { ErasureRequests } from './erasure-requests.ts';
import { GetErasure } from './get-erasure.ts';
import { ReadBlockedData } from './read-blocked-data.ts';

@Module({
  imports: [CasesModule, ScreeningsModule],
  controllers: [CreateErasure, GetErasure, ReadBlockedData],
  providers: [Erasure, ErasureRequests, DutySweep, ClosedTenantsSweep, BlockedData],
})
export class ErasuresModule {}
