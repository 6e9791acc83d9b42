import { shape, STATUS_LIST_TTL_SECONDS } from '@constancia/contracts';
import { ApiPublicProblems, matchesETag, Public } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { MAX_STATUS_TOKEN_BYTES, STATUS_LIST_MEDIA_TYPE } from '@constancia/status-list';
import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiProperty,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SignedStatusLists } from './signed-status-lists.ts';

export class StatusListsView {
  @ApiProperty({
    maxItems: 1_000,
    type: 'array',
    items: { type: 'string', format: 'uri', maxLength: 2_048 },
    description: 'The address of each list.',
  })
  status_lists: string[];
}

const CACHE = `public, max-age=${STATUS_LIST_TTL_SECONDS}`;
const HEADERS = {
  ETag: { description: 'SHA-256 of the list, hex, in quotes.', schema: { type: 'string' as const, ...shape.etag } },
};

/** Status lists of credentials, for anybody who verifies one: what is asked for says nothing about which credential it is. */
@Controller('v1/wallet')
@ApiTags('Wallet')
export class StatusListRoutes {
  constructor(private readonly lists: SignedStatusLists) {}

  @Get('status-list/:list_id')
  @Public()
  @ApiOperation({
    operationId: 'getStatusList',
    summary: 'Download a status list',
    description:
      'Whether credentials are still valid (Token Status List): 131,072 statuses of two bits, signed (ES256, `statuslist+jwt`), valid for an ' +
      'hour, to be fetched again after five minutes. 0 valid, 1 revoked, 2 suspended, 3 superseded. A change is in it within five seconds. ' +
      'Credentials of persons whom any tenant verified share a list, at random places.',
  })
  @ApiParam({
    name: 'list_id',
    description: 'As in the address that the credential names.',
    schema: { type: 'string', ...shape.id('stl') },
  })
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'An ETag that you hold: 304 when it is still the one.',
    schema: { type: 'string', ...shape.header },
  })
  @ApiProduces(STATUS_LIST_MEDIA_TYPE)
  @ApiOkResponse({
    description: 'The signed list.',
    content: { [STATUS_LIST_MEDIA_TYPE]: { schema: { type: 'string', ...shape.text(MAX_STATUS_TOKEN_BYTES) } } },
    headers: HEADERS,
  })
  @ApiResponse({ status: 304, description: 'You hold this list already.', headers: HEADERS })
  @ApiPublicProblems('not-found', 'dependency-unavailable')
  async list(
    @Param('list_id') id: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const found = await this.lists.find(id);
    if (found === null) throw new NotFound();
    const { token, sha256 } = found;
    reply.headers({ ETag: `"${sha256}"`, 'Cache-Control': CACHE });
    if (matchesETag(ifNoneMatch, sha256)) await reply.status(304).send();
    else await reply.header('Content-Type', STATUS_LIST_MEDIA_TYPE).send(token);
  }

  @Get('status-lists')
  @Public()
  @Header('Cache-Control', CACHE)
  @ApiOperation({
    operationId: 'listStatusLists',
    summary: 'List the addresses of the status lists',
    description: 'For those who want to hold all of them (Token Status List, section 9).',
  })
  @ApiOkResponse({ type: StatusListsView })
  @ApiPublicProblems()
  async addresses(): Promise<StatusListsView> {
    return { status_lists: await this.lists.addresses() };
  }
}
