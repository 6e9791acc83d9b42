import type { ModuleSchema } from '@constancia/persistence';
import { TenantsAndLedger1763700000100 } from './1763700000100-tenants-and-ledger.ts';
import { TenancyFunctions1763700000300 } from './1763700000300-tenancy-functions.ts';

/** The platform schema: its migrations in order. */
export const PLATFORM: ModuleSchema = {
  schema: 'platform',
  migrations: [TenantsAndLedger1763700000100, TenancyFunctions1763700000300],
};
