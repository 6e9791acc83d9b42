import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ALL_LIST_CODES, type Json, type ListCode } from '@constancia/kernel';
import { LIST_FORMATS, type ListFormat } from '@constancia/name-screening';
import { type Database, recordAct } from '@constancia/persistence';
import { type OpsAction, type OpsAnswer, OpsFields, type OpsRequest } from '@constancia/telemetry';
import type { ImportOutcome, ListImports } from './list-imports.ts';
import { FilesRefused } from './list-workshop.ts';
import type { Lists } from './lists.ts';

/** Five times the largest list that is published. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

/**
 * What operators do with lists on the ops port, the same as `npm run lists`: lay the files of a list down, one by one, in this
 * process; then import them together.
 */
export class ListActions {
  private folder: Promise<string> | undefined;

  constructor(
    private readonly database: Database,
    private readonly imports: ListImports,
    private readonly lists: Lists,
  ) {}

  get actions(): OpsAction[] {
    const list = '/ops/lists/(?<list>[A-Z_]+)';
    return [
      {
        method: 'GET',
        path: /^\/ops\/lists$/,
        about: 'the lists that screenings are made with',
        handle: () => this.show(),
      },
      {
        method: 'PUT',
        path: new RegExp(`^${list}/files/(?<name>[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99})$`),
        about: 'lay a file of a list down',
        handle: (request) => this.layDown(request),
      },
      {
        method: 'DELETE',
        path: new RegExp(`^${list}/files$`),
        about: 'forget the files that were laid down',
        handle: (request) => this.forget(request),
      },
      {
        method: 'POST',
        path: new RegExp(`^${list}/import$`),
        about: 'make the files that were laid down the list',
        handle: (request) => this.import(request),
      },
    ];
  }

  /** Removes what lies here still. */
  async close(): Promise<void> {
    if (this.folder) await fs.rm(await this.folder, { recursive: true, force: true });
  }

  private async show(): Promise<OpsAnswer> {
    const { rows, missing, stale } = await this.lists.current();
    const data = rows.map(({ list, version, entries, sha256, imported_at, published_at }) => ({
      list,
      version,
      entries,
      sha256,
      imported_at,
      published_at,
    }));
    return { status: 200, body: { data, missing, stale } };
  }

  private async layDown({ params, query, body, operator }: OpsRequest): Promise<OpsAnswer> {
    const list = listOf(params);
    if (!list) return unknownList(params);
    const reason = reasonIn(query);
    const file = path.join(await this.folderOf(list), params.name as string);
    try {
      await pipeline(body, noMoreThan(MAX_FILE_BYTES), createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      await fs.rm(file, { force: true });
      if (!(error instanceof FileTooLarge)) throw error;
      return { status: 413, body: { error: `A file has ${MAX_FILE_BYTES} bytes at the most.` } };
    }
    const { size } = await fs.stat(file);
    await this.note('list.file_laid_down', operator, { list, name: params.name ?? '', bytes: size, reason });
    return { status: 201, body: { list, name: params.name, bytes: size } };
  }

  private async forget({ params, query, operator }: OpsRequest): Promise<OpsAnswer> {
    const list = listOf(params);
    if (!list) return unknownList(params);
    const reason = reasonIn(query);
    await fs.rm(await this.folderOf(list), { recursive: true, force: true });
    await this.note('list.files_forgotten', operator, { list, reason });
    return { status: 200, body: { list, files: [] } };
  }

  private async import({ params, query, operator }: OpsRequest): Promise<OpsAnswer> {
    const list = listOf(params);
    if (!list) return unknownList(params);
    const reason = reasonIn(query);
    const format = query.get('format') ?? undefined;
    if (format !== undefined && !(LIST_FORMATS as readonly string[]).includes(format)) {
      return { status: 400, body: { error: `format is one of ${LIST_FORMATS.join(', ')}.` } };
    }
    const folder = await this.folderOf(list);
    const names = (await fs.readdir(folder)).sort();
    if (names.length === 0) {
      return { status: 409, body: { error: `No file lies here: PUT /ops/lists/${list}/files/<name> first.` } };
    }
    try {
      const outcome = await this.imports.run({
        list,
        tenantId: null,
        files: names.map((name) => ({ path: path.join(folder, name) })),
        ...(format && { format: format as ListFormat }),
        delta: query.get('delta') === 'true',
        force: query.get('force') === 'true',
        operator,
        beside: (tx, came) => {
          const { type, data } = actOf(list, came, query.get('force') === 'true');
          return recordAct(tx, { type, data: { ...data, reason }, operator });
        },
      });
      await this.lists.refresh();
      return { status: 200, body: outcome };
    } catch (error) {
      if (!(error instanceof FilesRefused)) throw error;
      return { status: 422, body: { outcome: 'refused', list, ...error.refusal } };
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  }

  /** What lies in this process's folder is in no transaction: the act follows it. */
  private note(type: string, operator: string, data: Record<string, string | number>): Promise<void> {
    return this.database.transaction((tx) => recordAct(tx, { type, operator, data }));
  }

  private async folderOf(list: ListCode): Promise<string> {
    this.folder ??= fs.mkdtemp(path.join(os.tmpdir(), 'constancia-lists-'));
    const folder = path.join(await this.folder, list);
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
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

/** `reason` in the query, as the body is a file. */
const reasonIn = (query: URLSearchParams): string =>
  OpsFields.ofQuery(new URLSearchParams({ reason: query.get('reason') ?? '' }), ['reason']).reason();

const listOf = ({ list }: Record<string, string>): ListCode | undefined => ALL_LIST_CODES.find((code) => code === list);

const unknownList = ({ list }: Record<string, string>): OpsAnswer => ({
  status: 404,
  body: { error: `${list} is no list: ${ALL_LIST_CODES.join(', ')}.` },
});

class FileTooLarge extends Error {}

function noMoreThan(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > most) done(new FileTooLarge());
      else done(null, chunk);
    },
  });
}
