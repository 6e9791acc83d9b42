import { type Actor, shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, cursorKeys, page, PageQuery, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { LessThan } from 'typeorm';
import { EXPORT_CONTENTS, type ExportContent } from './case-export.ts';
import { CaseJournal } from '../case-records/case-journal.entity.ts';

export class CaseExportView {
  @ApiProperty({ format: 'date-time', description: 'When it ended.' })
  at: string;

  @ApiProperty({ ...shape.text(128), description: 'X-Actor, or the prefix of the API key.' })
  actor: string;

  @ApiPropertyOptional({
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['key', 'member'] },
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string', ...shape.text(128) },
      on_behalf_of: { type: 'string', ...shape.text(128) },
    },
    required: ['kind', 'id', 'name'],
    description: 'The key or the member behind `actor`; absent in entries of earlier releases.',
  })
  by?: Actor;

  @ApiProperty({
    enum: EXPORT_CONTENTS,
    enumName: 'CaseExportContent',
    description: 'case_report, screening_report: the rows of a report of a period.',
  })
  content: ExportContent;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  from: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Exclusive.' })
  to: string | null;

  @ApiProperty()
  excel: boolean;

  @ApiProperty({ ...shape.count(), description: 'Rows that left.' })
  rows: number;

  @ApiProperty({ ...shape.count(), description: 'Those of them with a ROS draft.' })
  ros_drafts: number;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'Of the bytes that left.' })
  sha256: string;

  @ApiProperty({ description: 'false: the client stopped reading, or the service failed.' })
  complete: boolean;
}

export class CaseExportPage {
  @ApiProperty({ maxItems: 100, type: [CaseExportView] })
  data: CaseExportView[];

  @ApiProperty({ ...shape.cursor, type: String, nullable: true })
  next_cursor: string | null;
}

/** GET /v1/cases/exports: who took which cases out, newest first. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ListExports {
  constructor(private readonly database: Database) {}

  @Get('exports')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listCaseExports',
    summary: 'List exports of cases and of reports, newest first',
    description: 'Who exported what, when, with the rows and the SHA-256 of the bytes.',
  })
  @ApiOkResponse({ type: CaseExportPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: PageQuery): Promise<CaseExportPage> {
    const where = { tenant_id: tenant.id, type: 'exported', seq: LessThan(seqOf(query)) };
    const rows = await this.database.tenant(tenant.id, (tx) =>
      tx.manager.find(CaseJournal, { where, order: { seq: 'DESC' }, take: query.limit + 1 }),
    );
    const { data, next_cursor } = page(rows, query.limit, ({ seq }) => [seq]);
    return { data: data.map(exportView), next_cursor };
  }
}

export function exportView({ at, actor, data }: CaseJournal): CaseExportView {
  const noted = JSON.parse(data) as Omit<CaseExportView, 'at' | 'actor' | 'content'>;
  return { at: at.toISOString(), actor: actor ?? '', content: 'cases', ...noted }; // earlier releases exported nothing else
}

const NEWEST = 2_147_483_647;

function seqOf(query: PageQuery): number {
  const [seq = NEWEST] = cursorKeys(query, 1) ?? [];
  if (typeof seq === 'number' && Number.isInteger(seq) && seq > 0 && seq <= NEWEST) return seq;
  throw new ValidationError([
    { pointer: '/query/cursor', code: 'wrong_format', detail: 'Give next_cursor of an earlier page as it is.' },
  ]);
}
