import { shape } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiProblems,
  ClientIp,
  RequireScope,
  CurrentPrincipal,
  type Principal,
} from '@constancia/http';
import { typeId, uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CaseDetailView } from '../cases/case-detail-view.ts';
import type { RosDraft } from '../case-records/review-case.ts';
import { RosDraftView } from '../case-resolutions/ros-draft-view.ts';
import { IsWrittenText } from '../cases/written-text.ts';
import { ScreeningDetailView } from '../screenings/screening-view.ts';
import { BlockedData, MOST_BLOCKED } from './blocked-data.ts';
import { RECEIPT_ID_EXAMPLE } from './erasure-view.ts';

export class ReadBlockedQuery {
  @ApiProperty({
    description: 'Why it is read: kept with your name and the time.',
    example: 'Requerimiento de la UIAF 2026-118',
  })
  @IsWrittenText(500)
  reason: string;
}

export class BlockedCaseView extends CaseDetailView {
  @ApiProperty({ type: RosDraftView, nullable: true })
  ros_draft: RosDraft | null;
}

export class BlockedDataView {
  @ApiProperty({ ...shape.id('rcp'), example: RECEIPT_ID_EXAMPLE })
  receipt_id: string;

  @ApiProperty({ maxItems: MOST_BLOCKED, type: () => [ScreeningDetailView] })
  screenings: ScreeningDetailView[];

  @ApiProperty({ maxItems: MOST_BLOCKED, type: () => [BlockedCaseView] })
  cases: BlockedCaseView[];
}

/** GET /v1/erasures/{receipt_id}/data */
@Controller('v1/erasures')
@ApiTags('Erasures')
export class ReadBlockedData {
  constructor(private readonly blocked: BlockedData) {}

  @Get(':receipt_id/data')
  @RequireScope('compliance:ros')
  @ApiOperation({
    operationId: 'readBlockedData',
    summary: 'Read what an erasure keeps under the legal duty',
    description:
      'Screenings and cases of the erased person, for an authority or a court. Every read is written to a log that nobody can ' +
      'change, with its reason. 404 once the legal duty is over.',
  })
  @ApiParam({ name: 'receipt_id', example: RECEIPT_ID_EXAMPLE })
  @ApiActor()
  @ApiOkResponse({ type: BlockedDataView })
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('receipt_id') id: string,
    @Query() { reason }: ReadBlockedQuery,
    @Headers('x-actor') actor: string | undefined,
    @ClientIp() origin: string,
  ): Promise<BlockedDataView> {
    const receiptId = uuidOf('rcp', id);
    if (receiptId === null) throw new NotFound('No such receipt.');
    const reading = { principal, origin, receiptId, ...actingOf(actor, principal), reason };
    const { screenings, cases } = await this.blocked.read(reading);
    return {
      receipt_id: typeId('rcp', receiptId),
      screenings: screenings.map((row) => ScreeningDetailView.ofRow(row)),
      cases: cases.map((file) => ({ ...CaseDetailView.ofFile(file), ros_draft: file.found.ros_draft })),
    };
  }
}
