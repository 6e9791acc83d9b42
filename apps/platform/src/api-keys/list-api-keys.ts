import {
  ApiOptional,
  ApiProblems,
  beforeId,
  beginOf,
  CurrentTenant,
  endOf,
  IsInstant,
  OrderedPageQuery,
  page,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { uuidFloor } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { KeyPage, KeyView } from './api-key-view.ts';
import { type KeyRow, KEYS } from './api-keys.ts';

export class ApiKeysQuery extends OrderedPageQuery {
  @ApiOptional({ description: 'Keys created from this time on: a date-time, or a date (UTC).' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Keys created before this time; a date (UTC) includes that day.' })
  @IsInstant()
  to?: string;

  @ApiOptional()
  @IsString()
  @MaxLength(200)
  external_ref?: string;
}

/** GET /v1/api-keys */
@Controller('v1/api-keys')
@ApiTags('API keys')
export class ListApiKeys {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('keys:write', 'audit:read')
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List the API keys, newest first',
    description: 'Those that were not deleted, with their scopes, networks and last use; never the keys themselves.',
  })
  @ApiOkResponse({ type: KeyPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ApiKeysQuery): Promise<KeyPage> {
    const after = query.order === 'asc' ? '>' : '<';
    const [from, to] = [beginOf(query.from), endOf(query.to)];
    const rows = await this.database.tenant(tenant.id, (tx) =>
      tx.query<KeyRow>(
        `${KEYS} and ($2::uuid is null or k.key_id ${after} $2) and ($3::uuid is null or k.key_id >= $3)
           and ($4::uuid is null or k.key_id < $4) and ($5::text is null or k.external_ref = $5)
         order by k.key_id ${query.order} limit $6`,
        [
          ...[tenant.id, beforeId(query) ?? null, from ? uuidFloor(from) : null, to ? uuidFloor(to) : null],
          ...[query.external_ref ?? null, query.limit + 1],
        ],
      ),
    );
    const { data, next_cursor } = page(rows, query.limit, ({ key_id }) => [key_id]);
    return { data: data.map((row) => KeyView.of(row)), next_cursor };
  }
}
