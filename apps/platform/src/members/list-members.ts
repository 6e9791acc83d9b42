import {
  ApiProblems,
  beforeId,
  CurrentTenant,
  OrderedPageQuery,
  page,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { type Role, ROLES } from '@constancia/contracts';
import { IsIn, IsOptional } from 'class-validator';
import { type Member, MEMBER_STATUSES, type MemberStatus } from './member.entity.ts';
import { MemberPage, MemberView } from './member-view.ts';

export class ListMembersQuery extends OrderedPageQuery {
  @ApiPropertyOptional({ enumName: 'Role', description: 'Only members with this role.' })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role;

  @ApiPropertyOptional({ enumName: 'MemberStatus', description: 'Only members in this status.' })
  @IsOptional()
  @IsIn(MEMBER_STATUSES)
  status?: MemberStatus;
}

/** GET /v1/members */
@Controller('v1/members')
@ApiTags('Members')
export class ListMembers {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('members:write', 'audit:read')
  @ApiOperation({ operationId: 'listMembers', summary: 'List the members' })
  @ApiOkResponse({ type: MemberPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListMembersQuery): Promise<MemberPage> {
    const rows = await this.database.tenant(tenant.id, (tx) =>
      tx.query<Member>(
        `select * from platform.member
          where tenant_id = $1 and ($2::uuid is null or id ${query.order === 'asc' ? '>' : '<'} $2)
            and ($3::text is null or role = $3) and ($4::text is null or status = $4)
          order by id ${query.order} limit $5`,
        [tenant.id, beforeId(query) ?? null, query.role ?? null, query.status ?? null, query.limit + 1],
      ),
    );
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((row) => MemberView.of(row)), next_cursor };
  }
}
