import type { Readable } from 'node:stream';
import { ApiOptional, Caller, IsLine, NoQuery, OpsAnswer, OpsController, OpsOperation } from '@constancia/http';
import type { Json } from '@constancia/kernel';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { LIST_FORMATS, type ListFormat } from '@constancia/name-screening';
import { Database, recordAct } from '@constancia/persistence';
import { NotFound, StateConflict } from '@constancia/problem-json';
import type { OpsCaller } from '@constancia/telemetry';
import { Body, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { type ImportOutcome, ListImports } from '../lists/list-imports.ts';
import { FilesRefused } from '../lists/list-refused.ts';
import { Lists } from '../lists/lists.ts';
import { LaidDownFiles } from './laid-down-files.ts';
import { IMPORTED, LAID_DOWN, LISTS, NONE_LEFT, REFUSED_FILES } from './list-answers.ts';

const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/;

/** The reason stands in the query, as the body is a file. */
class ReasonQuery {
  @ApiProperty({ description: 'Why: for anyone who reads the audit log.' })
  @IsLine(500)
  reason: string;
}

class ImportQuery extends ReasonQuery {
  @ApiOptional({ description: 'Left out: recognized from the files.' })
  @IsIn(LIST_FORMATS)
  format?: ListFormat;

  @ApiOptional({ description: 'The files say what changed, not what is.' })
  @IsBoolean()
  delta?: boolean;

  @ApiOptional({ description: 'Also when the list would shrink.' })
  @IsBoolean()
  force?: boolean;
}

/**
 * What operators do with lists on the ops port, the same as `npm run lists`: lay the files of a list down, one by one, in this
 * process; then import them together.
 */
@OpsController('ops/lists')
export class ListActions {
  constructor(
    private readonly database: Database,
    private readonly imports: ListImports,
    private readonly lists: Lists,
    private readonly files: LaidDownFiles,
  ) {}

  @Get()
  @OpsOperation('the lists that screenings are made with')
  @OpsAnswer(200, LISTS)
  async showLists(@Query() _query: NoQuery) {
    const { rows, missing, stale } = await this.lists.current();
    const data = rows.map(({ list, version, entries, sha256, imported_at, published_at }) => ({
      ...{ list, version, entries, imported_at, published_at },
      sha256: sha256.toString('hex'),
    }));
    return { data, missing, stale };
  }

  @Put(':list/files/:name')
  @HttpCode(201)
  @OpsOperation('lay a file of a list down', { stream: true })
  @OpsAnswer(201, LAID_DOWN)
  async layDownFile(
    @Param('list') code: string,
    @Param('name') name: string,
    @Query() { reason }: ReasonQuery,
    @Body() body: Readable,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const list = listOf(code);
    if (!FILE_NAME.test(name)) throw new NotFound('The name of a file has 1 to 100 letters, digits, hyphens and dots.');
    const bytes = await this.files.keep(list, name, body);
    await this.note('list.file_laid_down', operator, { list, name, bytes, reason });
    return { list, name, bytes };
  }

  @Delete(':list/files')
  @OpsOperation('forget the files that were laid down')
  @OpsAnswer(200, NONE_LEFT)
  async forgetFiles(
    @Param('list') code: string,
    @Query() { reason }: ReasonQuery,
    @Caller() { name: operator }: OpsCaller,
  ) {
    const list = listOf(code);
    await this.files.forget(list);
    await this.note('list.files_forgotten', operator, { list, reason });
    return { list, files: [] };
  }

  @Post(':list/import')
  @HttpCode(200)
  @OpsOperation('make the files that were laid down the list')
  @OpsAnswer(200, IMPORTED)
  @OpsAnswer(422, REFUSED_FILES, 'The files are no list, or not a likely one.')
  async importFiles(
    @Param('list') code: string,
    @Query() { reason, format, delta = false, force = false }: ImportQuery,
    @Caller() { name: operator }: OpsCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const list = listOf(code);
    const paths = await this.files.of(list);
    if (paths.length === 0) {
      throw new StateConflict(`No file lies here: PUT /ops/lists/${list}/files/<name> first.`);
    }
    try {
      const outcome = await this.imports.run({
        ...{ list, tenantId: null, delta, force, operator },
        files: paths.map((path) => ({ path })),
        ...(format && { format }),
        beside: (tx, came) => {
          const { type, data } = actOf(list, came, force);
          return recordAct(tx, { type, data: { ...data, reason }, operator });
        },
      });
      await this.lists.refresh();
      return outcome;
    } catch (error) {
      if (!(error instanceof FilesRefused)) throw error;
      void reply.code(422);
      return { outcome: 'refused', list, ...error.refusal };
    } finally {
      await this.files.forget(list);
    }
  }

  /** What lies in this process's folder is in no transaction: the act follows it. */
  private note(type: string, operator: string, data: Record<string, string | number>): Promise<void> {
    return this.database.transaction((tx) => recordAct(tx, { type, operator, data }));
  }
}

/** What the operators' log says of an import. */
function actOf(
  list: ListCode,
  came: ImportOutcome | FilesRefused,
  forced: boolean,
): { type: string; data: Record<string, Json | undefined> } {
  if (came instanceof FilesRefused) {
    return { type: 'list.import_refused', data: { list, sha256: came.sha256, code: came.refusal.code } };
  }
  const changes = came.outcome === 'activated' ? { ...came.changes } : undefined;
  return { type: 'list.imported', data: { list, outcome: came.outcome, version: came.version, forced, changes } };
}

function listOf(code: string): ListCode {
  const list = ALL_LIST_CODES.find((one) => one === code);
  if (list === undefined) throw new NotFound(`${code} is no list: ${ALL_LIST_CODES.join(', ')}.`);
  return list;
}
