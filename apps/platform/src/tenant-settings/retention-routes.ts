import { AuditLog, changedValues } from '@constancia/auth';
import type { Retention } from '@constancia/contracts';
import {
  AnyScope,
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  CurrentTenant,
  type Principal,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { retentionOf } from '@constancia/personal-data';
import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiTenantId, requireOwnTenant } from '../tenants/own-tenant.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import { RetentionBody, RetentionView } from './retention-body.ts';
import { TenantRetention } from './tenant-retention.entity.ts';

type Periods = Omit<TenantRetention, 'tenant_id' | 'updated_at'>;

/** GET and PUT /tenants/{id}/retention: how long each module keeps data. */
@Controller('tenants')
@ApiTags('Tenants')
export class RetentionRoutes {
  constructor(private readonly database: Database) {}

  @Get(':id/retention')
  @AnyScope()
  @ApiOperation({
    operationId: 'showRetention',
    summary: 'Show how long each module keeps data',
    description: 'In days, by module and kind of data.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: RetentionView })
  @ApiProblems('not-found')
  show(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<RetentionView> {
    requireOwnTenant(tenant, id);
    return this.database.tenant(tenant.id, (tx) => retentionOf(tx, tenant.id));
  }

  @Put(':id/retention')
  @RequireScope('settings:write')
  @ApiOperation({
    operationId: 'putRetention',
    summary: 'Set how long each module keeps data',
    description:
      'Replaces all periods: what is left out gets its default. Each module applies them to what is there within minutes; ' +
      '`legal_hold_days` and `blocked_days` hold for later erasures, since a receipt states until when its data is kept.',
  })
  @ApiTenantId()
  @ApiOkResponse({ type: RetentionView })
  @ApiProblems('validation-error', 'not-found')
  put(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @Body() body: RetentionBody,
  ): Promise<RetentionView> {
    const { tenant } = principal;
    requireOwnTenant(tenant, id);
    return this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const before = await retentionOf(tx, tenant.id);
      await write(tx, tenant.id, periodsOf(body));
      const after = await retentionOf(tx, tenant.id);
      const object = { kind: 'tenant_retention', id: null };
      const values = changedValues({ ...periodsOf(before) }, { ...periodsOf(after) });
      await AuditLog.record(tx, { principal, action: 'tenant_retention.changed', object, ...values, origin });
      return after;
    });
  }
}

function periodsOf({ identity, compliance, signing }: RetentionBody | Retention): Periods {
  return {
    identity_image_days: identity?.image_days ?? null,
    identity_session_days: identity?.session_days ?? null,
    identity_legal_hold_days: identity?.legal_hold_days ?? null,
    compliance_blocked_days: compliance?.blocked_days ?? null,
    signing_unsealed_envelope_days: signing?.unsealed_envelope_days ?? null,
  };
}

/** In one statement: a module may write its own periods at the same time. */
async function write(tx: Tx, tenantId: string, periods: Periods): Promise<void> {
  const row = { ...periods, tenant_id: tenantId, updated_at: new Date() };
  const columns = Object.keys(row).filter((name) => name !== 'tenant_id');
  const insert = tx.manager.createQueryBuilder().insert().into(TenantRetention).values(row);
  await insert.orUpdate(columns, ['tenant_id']).execute();
}
