import type { Readable } from 'node:stream';
import { ApiProblems, FILE_NAME_HEADER } from '@constancia/http';
import { bogotaDay } from '@constancia/kernel';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { EXPORTS_PER_DAY } from './export-admission.ts';
import { MANIFEST } from './manifest.ts';
import { ROWS_MS, STALL_MS, WHOLE_MS } from './export-watch.ts';

const ZIP = 'application/zip';
const hours = (ms: number) => ms / 3_600_000;

/** Documents an operation that answers with an archive. `contents`: a sentence about what it holds. */
export function ApiTenantExport(contents: string): MethodDecorator {
  return applyDecorators(
    ApiTags('Export'),
    ApiOperation({
      operationId: 'exportTenant',
      summary: 'Export everything that the tenant owns here',
      description:
        `A ZIP: one \`.ndjson\` file per kind, in the fields of this API, the files that belong to them, and \`${MANIFEST}\` as its ` +
        `last file, with the rows, bytes and SHA-256 of every other. ${contents} All rows are of one moment. No secrets; what was ` +
        'erased is not in it. Only members with the role owner, and keys with all of the scopes. One export at a time: 409 conflict ' +
        `while another one of the tenant is under way; ${EXPORTS_PER_DAY} within 24 hours. The archive is cut off when the client takes ` +
        `nothing for ${STALL_MS / 1_000} s, when the rows take longer than ${hours(ROWS_MS)} h, all of it longer than ${hours(WHOLE_MS)} h, ` +
        'or when the process that serves it ends. ' +
        'The audit log says who started it and what left. HEAD answers the headers and starts nothing.',
    }),
    ApiProduces(ZIP),
    ApiOkResponse({
      description: 'The archive.',
      content: { [ZIP]: { schema: { type: 'string', format: 'binary', maxLength: Number.MAX_SAFE_INTEGER } } },
      headers: { 'Content-Disposition': FILE_NAME_HEADER },
    }),
    ApiProblems('conflict', 'dependency-unavailable'),
  );
}

/** The answer with an archive. */
export function exportAnswer(host: string, body: Readable): StreamableFile {
  return new StreamableFile(body, {
    type: ZIP,
    disposition: `attachment; filename="constancia-${host}-${bogotaDay(new Date())}.zip"`,
  });
}
