import { Readable } from 'node:stream';
import { AUDIT_ACTIONS, type AuditAction, shape } from '@constancia/contracts';
import {
  afterNumber,
  ApiOptional,
  ApiProblems,
  beginOf,
  CurrentTenant,
  endOf,
  FILE_NAME_HEADER,
  IsInstant,
  OrderedPageQuery,
  page,
  preferredType,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { bogotaDay } from '@constancia/kernel';
import { Controller, Get, Header, Headers, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { AuditEntries, type AuditFilter } from './audit-entries.ts';
import { AuditEntryView, AuditPage } from './audit-entry-view.ts';
import { EXPORT_TYPES, exportText } from './audit-export.ts';

export class AuditQuery extends OrderedPageQuery {
  @ApiOptional({ description: 'Entries from this time on: a date-time, or a date (UTC).' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Entries before this time; a date (UTC) includes that day.' })
  @IsInstant()
  to?: string;

  @ApiOptional({ description: 'The `actor.id`.', example: 'key_01jd0g6v8rf2m9p4q5s6t7v8w9' })
  @IsString()
  @MaxLength(64)
  actor?: string;

  @ApiOptional({ example: 'api_key.created' })
  @IsIn(AUDIT_ACTIONS)
  action?: AuditAction;

  @ApiOptional({ description: 'The `object.id`.', example: 'whe_01jd0g6v8rf2m9p4q5s6t7v8w9' })
  @IsString()
  @MaxLength(64)
  object?: string;
}

/** GET /v1/audit-log: what was changed in the name of the tenant, and by whom. */
@Controller('v1/audit-log')
@ApiTags('Audit log')
@ApiExtraModels(AuditPage)
export class ShowAuditLog {
  constructor(private readonly entries: AuditEntries) {}

  @Get()
  @RequireScope('audit:read')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'showAuditLog',
    summary: 'List the audit log, newest first',
    description:
      'Changes of keys, webhook endpoints, secrets and settings, what was published (rules, flows, circuits), erasures, and reads of ' +
      'blocked data, of every module. What was done with a case, a session or an envelope is in its own timeline. The entries of a ' +
      'tenant form a hash chain. With `Accept: application/x-ndjson` or `text/csv` the answer is a file, the oldest entry first, whatever ' +
      '`order`, `cursor` and `limit` say. A line of the NDJSON file is an entry as it is hashed: `hash` is the SHA-256 of `prev_hash` and of ' +
      'the entry without `hash` in canonical JSON (RFC 8785), so a file without filters is checked without us. Text cells of the CSV that a ' +
      'spreadsheet would run as a formula begin with an apostrophe.',
  })
  @ApiOkResponse({
    description: 'The entries.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(AuditPage) } },
      ...Object.fromEntries(
        EXPORT_TYPES.map((type) => [type, { schema: { type: 'string', ...shape.text(Number.MAX_SAFE_INTEGER) } }]),
      ),
    },
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @ApiProblems('validation-error')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Query() query: AuditQuery,
    @Headers('accept') accept: string | undefined,
  ): Promise<AuditPage | StreamableFile> {
    const { actor, action, object, order, limit } = query;
    const filter: AuditFilter = { from: beginOf(query.from), to: endOf(query.to), actor, action, object };
    const type = preferredType(accept, ['application/json', ...EXPORT_TYPES]);
    if (type === 'application/json') {
      const range = { after: afterNumber(query), order, limit: limit + 1 };
      const { data, next_cursor } = page(await this.entries.read(tenant.id, filter, range), limit, ({ seq }) => [seq]);
      return { data: data.map((row) => AuditEntryView.of(row)), next_cursor };
    }
    const extension = type === 'text/csv' ? 'csv' : 'ndjson';
    return new StreamableFile(Readable.from(exportText(type, this.entries.pages(tenant.id, filter))), {
      type: `${type}; charset=utf-8`,
      disposition: `attachment; filename="audit-log-${bogotaDay(new Date())}.${extension}"`,
    });
  }
}
