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
import { uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Headers, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiAttachmentFile, attachmentFile } from '../case-attachments/attachment-answer.ts';
import { ATTACHMENT_ID_EXAMPLE, CaseAttachmentView } from '../case-attachments/attachment-view.ts';
import { MOST_ATTACHMENTS } from '../case-records/attachment-types.ts';
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

  @ApiProperty({ maxItems: MOST_ATTACHMENTS, type: [CaseAttachmentView] })
  attachments: CaseAttachmentView[];
}

export class BlockedDataView {
  @ApiProperty({ ...shape.id('rcp'), example: RECEIPT_ID_EXAMPLE })
  receipt_id: string;

  @ApiProperty({ maxItems: MOST_BLOCKED, type: () => [ScreeningDetailView] })
  screenings: ScreeningDetailView[];

  @ApiProperty({ maxItems: MOST_BLOCKED, type: () => [BlockedCaseView] })
  cases: BlockedCaseView[];
}

/** GET /v1/erasures/{receipt_id}/data, and a file of it. */
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
    const reading = { principal, origin, receiptId: receiptUuid(id), ...actingOf(actor, principal), reason };
    const { screenings, cases, attachments } = await this.blocked.read(reading);
    return {
      receipt_id: id,
      screenings: screenings.map((row) => ScreeningDetailView.ofRow(row)),
      cases: cases.map((file) => ({
        ...CaseDetailView.ofFile(file),
        ros_draft: file.found.ros_draft,
        attachments: attachments
          .filter(({ case_id }) => case_id === file.found.id)
          .map((attachment) => CaseAttachmentView.of(attachment)),
      })),
    };
  }

  @Get(':receipt_id/data/attachments/:attachment_id')
  @RequireScope('compliance:ros')
  @ApiOperation({
    operationId: 'readBlockedAttachment',
    summary: 'Download a file of a case that an erasure keeps under the legal duty',
    description: 'Logged as readBlockedData is, with its reason.',
  })
  @ApiParam({ name: 'receipt_id', example: RECEIPT_ID_EXAMPLE })
  @ApiParam({ name: 'attachment_id', example: ATTACHMENT_ID_EXAMPLE })
  @ApiActor()
  @ApiAttachmentFile()
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async attachment(
    @CurrentPrincipal() principal: Principal,
    @Param('receipt_id') id: string,
    @Param('attachment_id') attachmentId: string,
    @Query() { reason }: ReadBlockedQuery,
    @Headers('x-actor') actor: string | undefined,
    @ClientIp() origin: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const uuid = uuidOf('caf', attachmentId);
    if (uuid === null) throw new NotFound('The receipt keeps no such file.');
    const reading = { principal, origin, receiptId: receiptUuid(id), ...actingOf(actor, principal), reason };
    return attachmentFile(await this.blocked.readAttachment(reading, uuid), reply);
  }
}

function receiptUuid(id: string): string {
  const uuid = uuidOf('rcp', id);
  if (uuid === null) throw new NotFound('No such receipt.');
  return uuid;
}
