import { shape } from '@constancia/contracts';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import type { ListedVersion } from './versions.sql.ts';

export class RescreeningView {
  @ApiProperty({ enum: ['pending', 'running', 'done'] })
  status: 'pending' | 'running' | 'done';

  @ApiProperty({ ...shape.count(), description: 'Monitored subjects that were looked at.' })
  subjects: number;

  @ApiProperty({ ...shape.count(), description: 'Those whom an entry that changed may concern.' })
  affected: number;

  @ApiProperty({ ...shape.count(), description: 'Those whose result changed: GET /v1/screenings?trigger=list_update.' })
  rescreened: number;

  @ApiProperty({ format: 'date-time' })
  requested_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;
}

/** An import of a list. */
export class ListVersionView {
  @ApiProperty({ enum: ALL_LIST_CODES, enumName: 'ListCode', example: 'OFAC' })
  list: ListCode;

  @ApiProperty({ ...shape.listVersion, example: '12-9f2c41aa' })
  version: string;

  @ApiProperty({
    enum: ['active', 'superseded', 'refused'],
    description: 'refused: the version before stayed; shown of the tenant’s own list alone.',
  })
  status: 'active' | 'superseded' | 'refused';

  @ApiProperty(shape.count())
  entries: number;

  @ApiProperty({ ...shape.count(), description: 'Entries that the version before did not have.' })
  added: number;

  @ApiProperty(shape.count())
  changed: number;

  @ApiProperty(shape.count())
  removed: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'What the source says, if anything.' })
  published_at: string | null;

  @ApiProperty({ format: 'date-time' })
  imported_at: string;

  @ApiProperty({
    ...shape.text(128),
    type: String,
    nullable: true,
    description: 'Of the tenant’s own list: who put it.',
  })
  imported_by: string | null;

  @ApiProperty({
    ...shape.word,
    type: String,
    nullable: true,
    description: 'Why it was refused.',
    example: 'malformed',
  })
  refusal: string | null;

  @ApiProperty({
    type: () => RescreeningView,
    nullable: true,
    description:
      'The effect of the change on the tenant’s monitored subjects; null when nobody was monitored then, or when a later version was ' +
      'screened with instead.',
  })
  rescreening: RescreeningView | null;

  static of({ rescreening, ...row }: ListedVersion): ListVersionView {
    return {
      list: row.list,
      version: row.version,
      status: row.status,
      entries: row.entries,
      added: row.added,
      changed: row.changed,
      removed: row.removed,
      published_at: row.published_at?.toISOString() ?? null,
      imported_at: row.imported_at.toISOString(),
      imported_by: row.tenant_id === null ? null : row.operator,
      refusal: row.refusal?.code ?? null,
      rescreening: rescreening && {
        ...rescreening,
        requested_at: new Date(rescreening.requested_at).toISOString(),
        finished_at: rescreening.finished_at && new Date(rescreening.finished_at).toISOString(),
      },
    };
  }
}

export class ListVersionPage {
  @ApiProperty({ ...shape.page, type: () => [ListVersionView] })
  data: ListVersionView[];

  @ApiProperty({ ...shape.cursor, type: String, nullable: true })
  next_cursor: string | null;
}
