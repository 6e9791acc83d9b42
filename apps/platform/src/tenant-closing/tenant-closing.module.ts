import { Module } from '@nestjs/common';
import { OwnerNoticesModule } from '../owner-notices/owner-notices.module.ts';
import { CloseTenants } from './close-tenants.ts';
import { ClosingRoutes } from './closing-routes.ts';
import { Closings } from './closings.ts';

/** Owners close the tenant, reconsider, or let the time for that run out. */
@Module({ imports: [OwnerNoticesModule], controllers: [ClosingRoutes], providers: [Closings, CloseTenants] })
export class TenantClosingModule {}
