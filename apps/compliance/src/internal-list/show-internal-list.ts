import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, FILE_NAME_HEADER, RequireScope, type Tenant } from '@constancia/http';
import { plainCsvOf } from '@constancia/name-screening';
import { Controller, Get, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { unpackEntries } from '../lists/entry-lines.ts';
import { ListContents } from '../lists/list-contents.ts';
import { Lists } from '../lists/lists.ts';
import { etagOf } from './internal-file.ts';

/** GET /v1/lists/INTERNAL: the tenant's own list, as it can be put again. */
@Controller('v1/lists/INTERNAL')
@ApiTags('Lists')
export class ShowInternalList {
  constructor(
    private readonly lists: Lists,
    private readonly contents: ListContents,
  ) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showInternalList',
    summary: 'Download the tenant’s own list',
    description:
      'The CSV that PUT /v1/lists/INTERNAL takes, with every column; dates and identifiers in their shortest form. Nothing but the ' +
      'header while there is no list. Send its ETag as If-Match with the PUT.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({
    description: 'The list.',
    content: { 'text/csv': { schema: { type: 'string', ...shape.text(Number.MAX_SAFE_INTEGER) } } },
    headers: {
      'Content-Disposition': FILE_NAME_HEADER,
      ETag: { description: 'The version of the list.', schema: { type: 'string', ...shape.text(202) } },
    },
  })
  @ApiProblems('dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    await this.lists.refresh(); // what another process has just stored is what the caller means to change
    const { rows } = await this.lists.current(tenant.id);
    const own = rows.find(({ tenant_id }) => tenant_id === tenant.id);
    const packed = own && (await this.contents.read(own, 'entries'));
    const entries = packed === undefined ? [] : await unpackEntries(packed);
    void reply.headers({ ETag: etagOf(own?.version ?? null), 'Cache-Control': 'no-store' });
    return new StreamableFile(Buffer.from(plainCsvOf(entries)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="internal.csv"',
    });
  }
}
