import { AuditLog } from '@constancia/auth';
import { ApiProblems, ClientIp, CurrentPrincipal, type Principal, RequireScope, WhileClosing } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Delete, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { lockTenant } from '../tenants/tenant-row.ts';
import { Member } from './member.entity.ts';
import { memberObject, memberOf, requireAnotherOwner, requireMayAssign } from './members.ts';

/** DELETE /v1/members/{id} */
@Controller('v1/members')
@ApiTags('Members')
export class RemoveMember {
  constructor(private readonly database: Database) {}

  @Delete(':id')
  @RequireScope('members:write')
  @WhileClosing()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Remove a member',
    description:
      'Ends every session of theirs within a second. Their name stays in timelines, trails and the audit log. At least one owner who can ' +
      'act must remain: else 409.',
  })
  @ApiNoContentResponse({ description: 'The member is gone.' })
  @ApiProblems('forbidden', 'not-found', 'state-conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
  ): Promise<void> {
    const { tenant } = principal;
    await this.database.tenant(tenant.id, async (tx) => {
      await lockTenant(tx, tenant.id);
      const member = await memberOf(tx, tenant.id, id);
      if (member.role === 'owner') requireMayAssign(principal, 'owner');
      await requireAnotherOwner(tx, member);
      const before = { role: member.role, status: member.status };
      await tx.manager.delete(Member, { id: member.id, tenant_id: tenant.id });
      await AuditLog.record(tx, { principal, action: 'member.removed', object: memberObject(member), before, origin });
    });
  }
}
