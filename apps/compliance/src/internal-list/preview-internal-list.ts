import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentPrincipal, type Principal, RawBody, RequireScope } from '@constancia/http';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ListImports } from '../lists/list-imports.ts';
import { ListJobRunner } from '../lists/list-job-runner.ts';
import { FilesRefused, type Refusal } from '../lists/list-refused.ts';
import { internalImport, MAX_BYTES } from './internal-file.ts';

/** Enough to mend a file by; the next preview shows the rest. */
const MOST_FAULTS = 100;

export class ListFaultView {
  @ApiProperty({ ...shape.ordinal, type: 'integer', nullable: true, description: 'null: of the file as a whole.' })
  line: number | null;

  @ApiProperty({ ...shape.word, example: 'malformed' })
  code: string;

  @ApiProperty({ ...shape.text(20_000), example: 'The birth date ayer cannot be read.' })
  detail: string;
}

export class ListPreviewView {
  @ApiProperty({ description: 'Whether PUT /v1/lists/INTERNAL would take the file.' })
  valid: boolean;

  @ApiProperty({
    ...shape.count(),
    description: 'On the list then; 0 of a file with faults, and so are the next three.',
  })
  entries: number;

  @ApiProperty(shape.count())
  added: number;

  @ApiProperty(shape.count())
  changed: number;

  @ApiProperty({ ...shape.count(), description: 'On the list now, and not in the file.' })
  removed: number;

  @ApiProperty({ maxItems: MOST_FAULTS, type: () => [ListFaultView], description: `At most ${MOST_FAULTS}.` })
  faults: ListFaultView[];
}

/** POST /v1/lists/INTERNAL/preview: what putting a file would do. */
@Controller('v1/lists/INTERNAL/preview')
@ApiTags('Lists')
export class PreviewInternalList {
  constructor(
    private readonly imports: ListImports,
    private readonly jobs: ListJobRunner,
  ) {}

  @Post()
  @RequireScope('compliance:lists')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'previewInternalList',
    summary: 'Check a file for the tenant’s own list',
    description:
      'Every row that cannot be read, with its line, or what the file would change of the list. Nothing is kept. The file is that of ' +
      'PUT /v1/lists/INTERNAL.',
  })
  @ApiOkResponse({ type: ListPreviewView })
  @ApiProblems('bad-request', 'payload-too-large', 'unsupported-media-type')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @RawBody('text/csv', MAX_BYTES) bytes: Buffer,
  ): Promise<ListPreviewView> {
    const request = internalImport(principal.tenant.id, '', bytes);
    const faults = await this.jobs.check({ files: request.files, most: MOST_FAULTS });
    if (faults.length > 0) return faulty(faults);
    try {
      return { valid: true, ...(await this.imports.preview(request)), faults: [] };
    } catch (error) {
      if (error instanceof FilesRefused) return faulty([error.refusal]);
      throw error;
    }
  }
}

function faulty(faults: readonly Refusal[]): ListPreviewView {
  const shown = faults.map(({ line = null, code, detail }) => ({ line, code, detail: detail.slice(0, 20_000) }));
  return { valid: false, entries: 0, added: 0, changed: 0, removed: 0, faults: shown };
}
