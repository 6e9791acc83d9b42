import { shape } from '@constancia/contracts';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { DEFAULT_THRESHOLD } from '@constancia/name-screening';
import { ApiProperty } from '@nestjs/swagger';
import { ageMs } from './list-age.ts';
import type { ActiveList } from './list-rows.sql.ts';

/** A list as GET /v1/lists shows it. */
export class ListView {
  @ApiProperty({ enum: ALL_LIST_CODES, enumName: 'ListCode', example: 'OFAC' })
  code: ListCode;

  @ApiProperty({ ...shape.listVersion, description: 'As screenings name it in list_versions.', example: '12-9f2c41aa' })
  version: string;

  @ApiProperty({ ...shape.count(), description: 'People, organizations and things on it; of FATF: countries.' })
  entries: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'What the source says, if anything.',
  })
  published_at: string | null;

  @ApiProperty({ format: 'date-time' })
  imported_at: string;

  @ApiProperty({ ...shape.sha256, description: 'SHA-256 of the imported file, hex.' })
  sha256: string;

  @ApiProperty({
    ...shape.count(),
    description: 'Since its file was last imported, be it unchanged; of FATF: since the statement it comes from.',
  })
  age_seconds: number;

  @ApiProperty({ description: 'Older than the operator lets it become.' })
  stale: boolean;

  @ApiProperty({ description: 'Whether the list is the tenant’s own.' })
  own: boolean;

  @ApiProperty({ description: 'Ships with the product for the sandbox: nobody real is on it.' })
  fictional: boolean;

  @ApiProperty({
    description: 'From this score on a match of names is a hit. Of no meaning for FATF, which compares countries.',
    example: DEFAULT_THRESHOLD,
  })
  threshold: number;

  static of(row: ActiveList, stale: boolean): ListView {
    return {
      code: row.list,
      version: row.version,
      entries: row.entries,
      published_at: row.published_at?.toISOString() ?? null,
      imported_at: row.imported_at.toISOString(),
      sha256: row.sha256.toString('hex'),
      age_seconds: Math.floor(ageMs(row) / 1000),
      stale,
      own: row.tenant_id !== null,
      fictional: row.fictional,
      threshold: DEFAULT_THRESHOLD,
    };
  }
}

export class ListsView {
  @ApiProperty({ maxItems: 10, type: () => [ListView], description: 'In the order in which results name them.' })
  data: ListView[];
}
