import { HISTORIES } from '@constancia/contracts';
import {
  answer,
  ApiOptional,
  Caller,
  IsLine,
  keysOfCursor,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
  ReasonBody,
  tenantNamed,
} from '@constancia/http';
import { isUuid } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import type { OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Histories } from './histories.ts';
import type { ArchivePlace, HistoryArchive, ListedArchive } from './history-archive.ts';

const { choice, flag, instant, object, orNull, text, uuid, whole } = answer;

const ARCHIVE = object({
  id: uuid,
  history: choice(HISTORIES),
  tenant_id: uuid,
  slug: text,
  from: whole,
  through: whole,
  first_at: instant,
  last_at: instant,
  bytes: whole,
  sha256: text,
  head_after: text,
  object_key: text,
  key_fingerprint: text,
  archived_by: text,
  archived_at: instant,
});

class ArchiveBody extends ReasonBody {
  @ApiOptional({ description: 'The slug or the id of a tenant.' })
  @IsLine(79)
  tenant?: string;
}

class ArchivesQuery extends OpsPageQuery {
  @ApiOptional({ description: 'The slug or the id of a tenant.' })
  @IsLine(79)
  tenant?: string;
}

const isNumber = (key: string | number): boolean => Number.isSafeInteger(key);

/** Files of the old history that this process archives: what is archived, whether it is whole, and what is in it. */
@OpsController('ops/archives/:history')
@ApiParam({ name: 'history', enum: HISTORIES })
export class ArchiveActions {
  constructor(
    private readonly database: Database,
    private readonly histories: Histories,
  ) {}

  @Post('run')
  @HttpCode(200)
  @OpsOperation('archive the next file of rows that are old enough')
  @OpsAnswer(200, object({ archived: orNull(ARCHIVE) }), 'null: nothing is old enough.')
  async archiveNext(
    @Param('history') history: string,
    @Body() { tenant, reason }: ArchiveBody,
    @Caller() { name }: OpsCaller,
  ) {
    const archives = this.histories.of(history);
    const named = await tenantNamed(this.database, tenant);
    const archived = await archives.archiveNext(named?.id ?? null, name, reason);
    return { archived: archived && view(archives, archived) };
  }

  @Get()
  @OpsOperation('archived files, of one tenant or of all, the oldest of each tenant first')
  @OpsAnswer(200, answer.page(ARCHIVE))
  async listArchives(@Param('history') history: string, @Query() query: ArchivesQuery) {
    const archives = this.histories.of(history);
    const named = await tenantNamed(this.database, query.tenant);
    const rows = await archives.list(named?.id ?? null, placeOf(query), query.limit + 1);
    const { data, next_cursor } = page(rows, query.limit, ({ tenant_id, through_seq }) => [tenant_id, through_seq]);
    return { data: data.map((row) => view(archives, row)), next_cursor };
  }

  @Get(':id/verify')
  @OpsOperation('whether a file is, byte for byte, the one that was signed, and fits the file before and the database')
  @OpsAnswer(200, object({ archive: ARCHIVE, valid: flag, fault: orNull(text) }))
  async verifyArchive(@Param('history') history: string, @Param('id') id: string) {
    const archives = this.histories.of(history);
    const archive = await archives.find(id);
    const verdict = await archives.verify(archive);
    return { archive: view(archives, archive), valid: verdict.valid, fault: verdict.valid ? null : verdict.fault };
  }

  @Get(':id/rows')
  @OpsOperation('the rows of a file, as they were in the database')
  @OpsAnswer(200, answer.page({ type: 'object', additionalProperties: true }))
  async readArchive(@Param('history') history: string, @Param('id') id: string, @Query() query: OpsPageQuery) {
    const archives = this.histories.of(history);
    const archive = await archives.find(id);
    const [after = 0] = (keysOfCursor(query, [isNumber]) ?? []) as number[];
    const lines = await archives.read(archive);
    const numbered = lines.map((line, nth) => ({ nth: nth + 1, line })).slice(after, after + query.limit + 1);
    const { data, next_cursor } = page(numbered, query.limit, ({ nth }) => [nth]);
    return { data: data.map(({ line }) => JSON.parse(line) as object), next_cursor };
  }
}

function view({ name: history }: HistoryArchive, archive: ListedArchive) {
  const { id, tenant_id, slug, from_seq: from, through_seq: through, first_at, last_at } = archive;
  const { bytes, sha256, head_after, object_key, key_fingerprint, archived_by, archived_at } = archive;
  const file = { bytes, sha256, head_after, object_key, key_fingerprint, archived_by, archived_at };
  return { id, history, tenant_id, slug, from, through, first_at, last_at, ...file };
}

function placeOf(query: ArchivesQuery): ArchivePlace | undefined {
  const keys = keysOfCursor(query, [(key) => isUuid(String(key)), isNumber]);
  return keys && { tenantId: keys[0] as string, throughSeq: keys[1] as number };
}
