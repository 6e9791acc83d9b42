import { AuditLog } from '@constancia/auth';
import {
  ApiOptional,
  Caller,
  IsLine,
  namedTenant,
  OpsAnswer,
  OpsController,
  OpsOperation,
  ReasonBody,
} from '@constancia/http';
import { Database, recordAct, type Tx } from '@constancia/persistence';
import type { OpsCaller } from '@constancia/telemetry';
import { Body, HttpCode, Param, Post } from '@nestjs/common';
import { StateConflict } from '@constancia/problem-json';
import { IsNull, LessThan, Not } from 'typeorm';
import { TENANT } from '../ops/tenant-answers.ts';
import { TenantClosing } from '../tenants/tenant-closing.entity.ts';
import { TenantRow } from '../tenants/tenant.entity.ts';
import { type OpsTenant, tenantsLike, tenantView } from '../tenants/ops-tenants.ts';
import { lockTenant } from '../tenants/tenant-row.ts';
import { WebhookEndpointRow } from '../webhook-endpoints/webhook-endpoint.entity.ts';

class SuspensionRequest extends ReasonBody {
  @ApiOptional({ description: 'What the mail to the owners says about it. Left out: only that it was done.' })
  @IsLine(500)
  message?: string;
}

/** Days in which owners can reconsider a closing once the suspension of their tenant has ended. */
const DAYS_AFTER_RESUMING = 7;

type Change = 'suspended' | 'resumed';

/** Suspending tenants and ending that. Repeating either changes nothing and is recorded once. */
@OpsController('ops/tenants')
export class SuspensionActions {
  constructor(private readonly database: Database) {}

  @Post(':id/suspend')
  @HttpCode(200)
  @OpsOperation('suspend a tenant: no credential of it is accepted, and nothing is sent for it, until it is resumed')
  @OpsAnswer(200, TENANT)
  suspendTenant(@Param('id') name: string, @Body() body: SuspensionRequest, @Caller() caller: OpsCaller) {
    return this.change('suspended', name, body, caller);
  }

  @Post(':id/resume')
  @HttpCode(200)
  @OpsOperation('end the suspension of a tenant: what waited is sent')
  @OpsAnswer(200, TENANT)
  resumeTenant(@Param('id') name: string, @Body() body: SuspensionRequest, @Caller() caller: OpsCaller) {
    return this.change('resumed', name, body, caller);
  }

  private async change(to: Change, name: string, body: SuspensionRequest, { name: operator }: OpsCaller) {
    const { id: tenantId, slug } = await namedTenant(this.database, name);
    const { reason, message = null } = body;
    await this.database.tenant(tenantId, async (tx) => {
      if (!(await write(tx, tenantId, to))) return;
      await tx.query('select platform.notify_owners($1, $2, $3)', [tenantId, `tenant_${to}`, { message }]);
      await recordAct(tx, { type: `tenant.${to}`, operator, tenantId, data: { slug, reason, message } });
      const principal = { tenantId, system: 'operators' };
      const object = { kind: 'tenant', id: null };
      await AuditLog.record(tx, { principal, action: `tenant.${to}`, object, origin: null });
    });
    const [row] = await tenantsLike(this.database, { id: tenantId, limit: 1 });
    return tenantView(row as OpsTenant);
  }
}

/** False when it is so already. Of two at once, the second waits for the row, and finds it changed. */
async function write(tx: Tx, tenantId: string, to: Change): Promise<boolean> {
  if (to === 'suspended') {
    await lockTenant(tx, tenantId); // a closing that has begun to end comes first
    const closed = await tx.manager.existsBy(TenantClosing, { tenant_id: tenantId, closed_at: Not(IsNull()) });
    if (closed) throw new StateConflict('The tenant is closed: nobody can act for it any more.');
    const active = { id: tenantId, suspended_at: IsNull() };
    return (await tx.manager.update(TenantRow, active, { suspended_at: () => 'now()' })).affected === 1;
  }
  const suspended = { id: tenantId, suspended_at: Not(IsNull()) };
  if ((await tx.manager.update(TenantRow, suspended, { suspended_at: null })).affected !== 1) return false;
  await giveTimeToReconsider(tx, tenantId);
  // What waited is not late: it could not be sent before.
  await tx.manager.update(WebhookEndpointRow, { tenant_id: tenantId }, { resumed_at: () => 'now()' });
  return true;
}

/** Owners could not reconsider a closing while the tenant was suspended: they have some days for it from now on. */
async function giveTimeToReconsider(tx: Tx, tenantId: string): Promise<void> {
  const atLeast = new Date(Date.now() + DAYS_AFTER_RESUMING * 86_400_000);
  const soon = { tenant_id: tenantId, closed_at: IsNull(), closes_at: LessThan(atLeast) };
  await tx.manager.update(TenantClosing, soon, { closes_at: atLeast, reminded_at: null });
}
