import {
  answer,
  ApiOptional,
  beforeId,
  Caller,
  IsLine,
  IsMailedText,
  namedTenant,
  NoQuery,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
  ReasonBody,
} from '@constancia/http';
import { UnprocessableEntity } from '@constancia/problem-json';
import { type OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, IsInt, Matches, Max, MaxLength, Min } from 'class-validator';
import { Transform } from 'class-transformer';
import { PlatformConfig } from '../config.ts';
import { CREATED_TENANT, TENANT, TENANT_DETAIL } from './tenant-answers.ts';
import { SecretBox } from '@constancia/kernel';
import { Database, recordAct } from '@constancia/persistence';
import { createTenant } from '../signup/new-tenant.ts';
import type { ApiKey } from '../api-keys/api-key.entity.ts';
import { SLUG } from '../tenants/plans.ts';
import { type OpsTenant, tenantsLike, tenantView } from '../tenants/ops-tenants.ts';
import { endpointsLike, endpointView } from './endpoint-rows.ts';
import { MAX_CREDITS } from './grant-actions.ts';
import { exceedsGrantLimit } from './grant-limit.ts';

const ENDPOINTS = 10;

class TenantsQuery extends OpsPageQuery {
  @ApiOptional()
  @IsLine(120)
  search?: string;
}

class TenantBody extends ReasonBody {
  @ApiProperty()
  @Matches(SLUG, { message: 'must be 2 to 40 lower-case letters or digits, with single hyphens between them' })
  slug: string;

  @ApiProperty({ description: 'One line, without invisible characters.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsLine(120)
  @IsMailedText()
  name: string;

  @ApiProperty({ description: 'Keys are recovered by it.' })
  @IsEmail({ blacklisted_chars: '"' }, { message: 'must be a mail address: keys are recovered by it' })
  @MaxLength(254)
  owner_email: string;

  @ApiOptional({ description: 'Left out: by environment.' })
  @IsInt()
  @Min(0)
  @Max(MAX_CREDITS)
  credits?: number;
}

/** Tenants: finding and creating them; in production the only way to create one. */
@OpsController('ops/tenants')
export class TenantActions {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly config: PlatformConfig,
  ) {}

  @Get()
  @OpsOperation('tenants, newest first; search: a part of slug or name, or the id')
  @OpsAnswer(200, answer.page(TENANT))
  async listTenants(@Query() query: TenantsQuery) {
    const { search, limit } = query;
    const rows = await tenantsLike(this.database, { search, before: beforeId(query), limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map(tenantView), next_cursor };
  }

  @Get(':id')
  @OpsOperation('a tenant, by id or slug, with its keys’ prefixes and its endpoints')
  @OpsAnswer(200, TENANT_DETAIL)
  async showTenant(@Param('id') name: string, @Query() _query: NoQuery) {
    const { database } = this;
    const { id } = await namedTenant(database, name);
    const [[row], keys, endpoints] = await Promise.all([
      tenantsLike(database, { id, limit: 1 }),
      database.query<ApiKey>('select * from platform.ops_keys($1)', [id]),
      endpointsLike(database, { tenantId: id, limit: ENDPOINTS }),
    ]);
    const tenant = row as OpsTenant;
    return {
      ...tenantView(tenant),
      open_holds: tenant.open_holds,
      keys: keys.map(({ prefix, status, created_at, expires_at }) => ({
        prefix,
        status,
        created_at: created_at.toISOString(),
        expires_at: expires_at?.toISOString() ?? null,
      })),
      endpoints: endpoints.map(endpointView),
    };
  }

  @Post()
  @HttpCode(201)
  @OpsOperation('make a tenant; its key and webhook secret are shown once', { role: 'grant' })
  @OpsAnswer(201, CREATED_TENANT)
  async createTenant(@Body() body: TenantBody, @Caller() { name: operator }: OpsCaller) {
    const { slug, name: displayName, owner_email: ownerEmail, credits: openingCredits, reason } = body;
    const { database, secrets } = this;
    const { environment, opsGrantLimit: grantLimit } = this.config;
    const created = await database.transaction(async (tx) => {
      if (openingCredits && (await exceedsGrantLimit(tx, operator, openingCredits, grantLimit))) {
        const rule = `More than ${grantLimit} credits in 24 hours need a second operator`;
        throw new UnprocessableEntity(`${rule}: create the tenant without credits, then grant them.`);
      }
      const tenant = await createTenant(tx, secrets, {
        ...{ environment, slug, displayName, ownerEmail, openingCredits },
        locale: 'es-CO',
      });
      const data = { slug, plan: tenant.plan, credits: openingCredits, reason };
      await recordAct(tx, { type: 'tenant.created', operator, tenantId: tenant.tenant_id, data });
      return tenant;
    });
    const [row] = await tenantsLike(database, { id: created.tenant_id, limit: 1 });
    return { ...created, available: row?.available ?? 0 };
  }
}
