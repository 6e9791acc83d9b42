import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Cases } from '../cases/cases.ts';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { ApiAttachmentFile, attachmentFile } from './attachment-answer.ts';
import { ATTACHMENT_ID_EXAMPLE, CaseAttachmentList, CaseAttachmentView } from './attachment-view.ts';
import { attachmentsOf, attachmentWithBytes } from './stored-attachments.ts';

/** GET /v1/cases/{id}/attachments, and one of them. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ReadAttachments {
  constructor(private readonly cases: Cases) {}

  @Get(':id/attachments')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listCaseAttachments',
    summary: 'List the files that are attached to a case',
    description: 'The same as `attachments` of the case.',
  })
  @ApiParam({ name: 'id', example: CASE_ID_EXAMPLE })
  @ApiOkResponse({ type: CaseAttachmentList })
  @ApiProblems('not-found', 'dependency-unavailable')
  async list(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<CaseAttachmentList> {
    const found = await this.cases.inspect(tenant.id, id, (tx, keyring, { found: { id: caseId } }) =>
      attachmentsOf(tx, keyring, tenant.id, [caseId]),
    );
    return { data: found.map((attachment) => CaseAttachmentView.of(attachment)) };
  }

  @Get(':id/attachments/:attachment_id')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'downloadCaseAttachment',
    summary: 'Download a file that is attached to a case',
    description: 'Its SHA-256 is that of the attachment and of the timeline.',
  })
  @ApiParam({ name: 'id', example: CASE_ID_EXAMPLE })
  @ApiParam({ name: 'attachment_id', example: ATTACHMENT_ID_EXAMPLE })
  @ApiAttachmentFile()
  @ApiProblems('not-found', 'dependency-unavailable')
  async download(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Param('attachment_id') attachmentId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const uuid = uuidOf('caf', attachmentId);
    const file = await this.cases.inspect(tenant.id, id, async (tx, keyring, { found }) =>
      uuid === null ? null : attachmentWithBytes(tx, keyring, { tenantId: tenant.id, caseId: found.id, id: uuid }),
    );
    if (file === null) throw new NotFound();
    return attachmentFile(file, reply);
  }
}
