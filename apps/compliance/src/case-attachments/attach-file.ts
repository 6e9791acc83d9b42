import { createHash } from 'node:crypto';
import {
  ApiActor,
  ApiIfMatch,
  ApiProblems,
  BODY_PROBLEMS,
  CurrentPrincipal,
  IdempotencyKey,
  Idempotent,
  type Principal,
  RawBody,
  REPLAYED_HEADER,
  RequireScope,
  sendStored,
  WhileClosing,
} from '@constancia/http';
import { type IdempotentRequest, requestFingerprint } from '@constancia/idempotency';
import { Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  ATTACHMENT_BYTES,
  ATTACHMENT_TYPES,
  type AttachmentType,
  attachmentTypeOf,
  MOST_ATTACHMENTS,
} from '../case-records/attachment-types.ts';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { type CaseHeaders, caseRequest } from '../cases/act-on-case.ts';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { CaseAttachmentView } from './attachment-view.ts';
import { CaseAttachments } from './case-attachments.ts';
import { ApiFileName, fileNameOf } from './file-name.ts';
import type { SentFile } from './stored-attachments.ts';

const ROUTE = '/v1/cases/{id}/attachments';

interface FileHeaders extends CaseHeaders {
  'content-type'?: string;
  'x-file-name'?: string;
}

/** POST /v1/cases/{id}/attachments: a file that the decision rests on. It is kept as it is, and never changed or taken away. */
@Controller('v1/cases')
@ApiTags('Cases')
export class AttachFile {
  constructor(private readonly attachments: CaseAttachments) {}

  @Post(':id/attachments')
  @RequireScope(CASE_ACTION_SCOPES.attach)
  @WhileClosing()
  @HttpCode(201)
  @Idempotent()
  @ApiOperation({
    operationId: 'attachToCase',
    summary: 'Attach a file to a case',
    description:
      `A PDF, PNG or JPEG of at most 10 MiB; a case holds ${MOST_ATTACHMENTS}. The file is kept as it is, sealed, and its SHA-256 is in the ` +
      'event `attached` of the timeline. 415: the bytes are not what the Content-Type says. 400: the file is damaged or encrypted, or a PDF ' +
      'that does something (scripts, forms that send, files within); `errors` says what. The case has another `etag` then: read it again.',
  })
  @ApiParam({ name: 'id', example: CASE_ID_EXAMPLE })
  @ApiFileName()
  @ApiActor()
  @ApiIfMatch('case')
  @ApiCreatedResponse({ type: CaseAttachmentView, description: 'It is attached.', headers: REPLAYED_HEADER })
  @ApiProblems(
    ...BODY_PROBLEMS,
    'not-found',
    'state-conflict',
    'conflict',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers() headers: FileHeaders,
    @RawBody(ATTACHMENT_TYPES, ATTACHMENT_BYTES) bytes: Buffer,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() key?: string,
  ): Promise<string> {
    const type = attachmentTypeOf(headers['content-type']) as AttachmentType; // RawBody takes no other
    const file = { name: fileNameOf(headers['x-file-name'], type), type, bytes };
    const request = caseRequest(principal, id, 'attach', headers);
    const once = key === undefined ? undefined : requestOf(key, id, file);
    const { answer, replayed } = await this.attachments.attach(request, file, once);
    return sendStored(reply, answer, replayed);
  }
}

function requestOf(key: string, id: string, { name, type, bytes }: SentFile): IdempotentRequest {
  const body = { name, sha256: createHash('sha256').update(bytes).digest('hex') };
  return {
    key,
    fingerprint: requestFingerprint({ method: 'POST', route: ROUTE, params: { id }, body, contentType: type }),
  };
}
