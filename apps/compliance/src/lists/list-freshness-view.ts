import { shape } from '@constancia/contracts';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import type { ListAtMoment } from './dated-lists.ts';

const MOMENT = { type: 'string', format: 'date-time', nullable: true } as const;

/** A list as it was when something was decided with it. */
export class ListFreshnessView {
  @ApiProperty({ enum: ALL_LIST_CODES, enumName: 'ListCode', example: 'OFAC' })
  code: ListCode;

  @ApiProperty({ ...shape.listVersion, example: '12-9f2c41aa' })
  version: string;

  @ApiProperty({ description: 'Whether the list is the tenant’s own.' })
  own: boolean;

  @ApiProperty({ ...MOMENT, description: 'What the source says, if anything.' })
  published_at: string | null;

  @ApiProperty({ ...MOMENT, description: 'When this version was imported; null when it is not kept any more.' })
  imported_at: string | null;

  @ApiProperty({ ...MOMENT, description: 'When its file had last been imported by then, changed or not.' })
  checked_at: string | null;

  @ApiProperty({ ...MOMENT, description: 'When another version took its place, if that was before.' })
  superseded_at: string | null;

  @ApiProperty({
    ...shape.count(),
    type: 'integer',
    nullable: true,
    description: 'Then: since `checked_at`; of FATF since `published_at`.',
  })
  age_seconds: number | null;

  @ApiProperty({
    ...shape.count(),
    type: 'integer',
    nullable: true,
    description: 'The age that the operator allows today; null: the list does not age.',
  })
  max_age_days: number | null;

  @ApiProperty({ description: 'It was older than `max_age_days`.' })
  stale: boolean;

  static of(list: ListAtMoment): ListFreshnessView {
    return {
      code: list.list,
      version: list.version,
      own: list.isOwn,
      published_at: list.publishedAt?.toISOString() ?? null,
      imported_at: list.importedAt?.toISOString() ?? null,
      checked_at: list.checkedAt?.toISOString() ?? null,
      superseded_at: list.supersededAt?.toISOString() ?? null,
      age_seconds: list.ageMs === null ? null : Math.floor(list.ageMs / 1000),
      max_age_days: list.maxAgeDays,
      stale: list.isStale,
    };
  }
}
