import {
  afterNumber,
  ApiOptional,
  ApiProblems,
  CurrentTenant,
  page,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import type { EntryChange } from '../lists/entry-lines.ts';
import { ListContents } from '../lists/list-contents.ts';
import { CHANGE_KINDS, type ChangeKind, ListChangePage, ListChangeView } from './change-view.ts';
import { ListQuery, ownerIn } from './list-query.ts';
import { linesOf } from './packed-lines.ts';
import { versionNamed } from './versions.sql.ts';

export class ListChangesQuery extends ListQuery {
  @ApiProperty({ example: '12-9f2c41aa' })
  @IsString()
  @Length(1, 200)
  version: string;

  @ApiOptional({ enumName: 'ListChangeKind' })
  @IsIn(CHANGE_KINDS)
  change?: ChangeKind;
}

/** GET /v1/lists/changes: what one import changed, entry by entry. */
@Controller('v1/lists/changes')
@ApiTags('Lists')
export class ListChanges {
  constructor(
    private readonly database: Database,
    private readonly contents: ListContents,
  ) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showListChanges',
    summary: 'List what a version changed of its list',
    description:
      'First what was added, then what was changed, then what was removed, compared with the version before. Only the first 10,000 ' +
      'changes can be read: a first import adds everything.',
  })
  @ApiOkResponse({ type: ListChangePage })
  @ApiProblems('validation-error', 'not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListChangesQuery): Promise<ListChangePage> {
    const asked = { list: query.list, owner: ownerIn(query, tenant.id) };
    const found = await this.database.tenant(tenant.id, (tx) => versionNamed(tx, asked, query.version));
    if (!found) throw new NotFound('The list has no such version.');
    const { first, end } = range(found, query.change);
    const from = Math.max(first, afterNumber(query) ?? first);
    const count = Math.max(0, Math.min(query.limit + 1, end - from));
    const pieces = this.contents.pieces(found, 'changes');
    const rows = count === 0 ? [] : ((await linesOf(pieces, { from, count })) as EntryChange[]);
    const { data, next_cursor } = page(rows, query.limit, () => [from + query.limit]);
    return { data: data.map((change) => ListChangeView.of(change)), next_cursor };
  }
}

const MOST_CHANGES = 10_000;

/** Where changes of a kind are among all of a version, which are stored in this order. */
function range(
  counts: Readonly<Record<ChangeKind, number>>,
  change: ChangeKind | undefined,
): { first: number; end: number } {
  const { added, changed, removed } = counts;
  const [first, end] = {
    all: [0, added + changed + removed],
    added: [0, added],
    changed: [added, added + changed],
    removed: [added + changed, added + changed + removed],
  }[change ?? 'all'] as [number, number];
  return { first, end: Math.min(end, first + MOST_CHANGES) };
}
