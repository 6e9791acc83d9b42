import { ApiProblems, ClientIp, CurrentPrincipal, pathUuid, type Principal, RequireScope } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import { SESSION_ID_EXAMPLE } from '../sessions/session-view.ts';
import { KEPT_TYPE } from '../uploads/picture-intake.ts';
import { REVIEWED_PICTURES, type ReviewedPicture, SessionPictures } from './session-pictures.ts';

/** GET /v1/flows/sessions/{id}/pictures/{kind}: for the person who compares them. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class ShowPicture {
  constructor(private readonly pictures: SessionPictures) {}

  @Get(':id/pictures/:kind')
  @RequireScope('identity:review')
  @ApiOperation({
    operationId: 'showFlowSessionPicture',
    summary: 'Show a picture of a session to the person who reviews it',
    description:
      'The document or the selfie that the session was judged by, as it is kept. For members alone: an API key is answered 403. Each ' +
      'reading is in the audit log. 404 where no picture was taken (a sandbox trigger, a kept verification), after its retention, and once ' +
      'the subject was erased.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiParam({ name: 'kind', enum: REVIEWED_PICTURES })
  @ApiProduces(KEPT_TYPE)
  @ApiOkResponse({
    content: { [KEPT_TYPE]: { schema: { type: 'string', format: 'binary', maxLength: 52_428_800 } } },
    description: 'The picture.',
  })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Param('id') id: string,
    @Param('kind') kind: string,
  ): Promise<StreamableFile> {
    const sessionId = pathUuid('fls', id);
    if (!isReviewed(kind)) throw new NotFound();
    const bytes = await this.pictures.read({ principal, origin, sessionId, kind });
    return new StreamableFile(bytes, { type: KEPT_TYPE, length: bytes.length });
  }
}

const isReviewed = (kind: string): kind is ReviewedPicture => REVIEWED_PICTURES.includes(kind as ReviewedPicture);
