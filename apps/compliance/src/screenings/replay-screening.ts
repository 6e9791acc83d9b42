import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { MATCHER_VERSION } from '@constancia/name-screening';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { SCREENING_ID_EXAMPLE } from '../example-ids.ts';
import type { ScreeningArchive } from './archive/screening-archive.entity.ts';
import type { ScreeningOutcome } from './assess.ts';
import { type NotReplayable, Replay } from './replay.ts';
import { ScreeningView } from './screening-view.ts';
import { Screenings } from './screenings.ts';

export const NOT_REPLAYABLE = ['list_version_gone', 'other_matcher', 'other_evaluator', 'other_rules'] as const;

/** Why a screening could not be computed again. */
export class NotReplayableView implements NotReplayable {
  @ApiProperty({
    enum: NOT_REPLAYABLE,
    description:
      'list_version_gone: a stored version is not in the store any more; other_matcher, other_evaluator: this release matches or ' +
      'evaluates otherwise; other_rules: the stored rules are not those that were used.',
  })
  code: NotReplayable['code'];

  @ApiProperty({
    ...shape.text(2000),
    example: `The screening was made with matcher 1.0.0; this is ${MATCHER_VERSION}.`,
  })
  detail: string;
}

/** The file that a screening was moved into. */
export class ArchiveLocationView {
  @ApiProperty({ ...shape.text(512), description: 'Its name in the object store of the service.' })
  object_key: string;

  @ApiProperty({ ...shape.sha256, description: 'SHA-256 of the file.' })
  sha256: string;

  @ApiProperty({ ...shape.sha256, description: 'Fingerprint of the key that signed it.' })
  key_fingerprint: string;

  @ApiProperty({ format: 'date-time' })
  archived_at: string;
}

export class ReplayView {
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether the recomputed result is the stored one to the byte; null when it could not be recomputed.',
  })
  identical: boolean | null;

  @ApiProperty({ description: 'As stored.' })
  screening: ScreeningView;

  @ApiProperty({
    type: () => ScreeningView,
    nullable: true,
    description: 'Computed again from the stored payload, rules and list versions; null when that is not possible.',
  })
  recomputed: ScreeningView | null;

  @ApiProperty({ type: () => NotReplayableView, nullable: true, description: 'Why it could not be recomputed.' })
  unavailable: NotReplayableView | null;

  @ApiProperty({
    type: () => ArchiveLocationView,
    nullable: true,
    description: 'Where the screening is stored, read and verified for this answer; null: in the database.',
  })
  archive: ArchiveLocationView | null;
}

function locationOf(archive: ScreeningArchive | null): ArchiveLocationView | null {
  if (archive === null) return null;
  const { object_key, sha256, key_fingerprint, archived_at } = archive;
  return { object_key, sha256, key_fingerprint, archived_at: archived_at.toISOString() };
}

/** GET /v1/screenings/{id}/replay */
@Controller('v1/screenings')
@ApiTags('Screenings')
export class ReplayScreening {
  constructor(
    private readonly screenings: Screenings,
    private readonly replay: Replay,
  ) {}

  @Get(':id/replay')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'replayScreening',
    summary: 'Compute a screening again',
    description:
      'From what is stored with it: the payload, the rules of that version, the list versions and the dismissed hits of that time. ' +
      'Nothing is changed or charged.',
  })
  @ApiParam({ name: 'id', example: SCREENING_ID_EXAMPLE })
  @ApiOkResponse({ type: ReplayView, description: 'The stored result beside the recomputed one.' })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ReplayView> {
    const { row, archive: file } = await this.screenings.locate(tenant.id, id);
    const archive = locationOf(file);
    const screening = ScreeningView.of(row, JSON.parse(row.result) as ScreeningOutcome);
    const replayed = await this.replay.of(row);
    if ('code' in replayed) return { identical: null, screening, recomputed: null, unavailable: replayed, archive };
    const { identical, outcome } = replayed;
    return { identical, screening, recomputed: ScreeningView.of(row, outcome), unavailable: null, archive };
  }
}
