import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MemberView } from './member-view.ts';
import { memberOf } from './members.ts';

/** GET /v1/members/{id} */
@Controller('v1/members')
@ApiTags('Members')
export class ShowMember {
  constructor(private readonly database: Database) {}

  @Get(':id')
  @RequireScope('members:write', 'audit:read')
  @ApiOperation({ operationId: 'showMember', summary: 'Show a member' })
  @ApiOkResponse({ type: MemberView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<MemberView> {
    return MemberView.of(await this.database.tenant(tenant.id, (tx) => memberOf(tx, tenant.id, id)));
  }
}
