import type { IncomingMessage } from 'node:http';
import { BATCH_ERRORS, BATCH_TYPES, BatchCheckView, batchTypeOf, METADATA_TEXT, metadataOf } from '@constancia/batches';
import { PRICE } from '@constancia/contracts';
import { BATCH_COLUMNS } from '@constancia/contracts/screening-batches';
import {
  actingOf,
  ApiActor,
  ApiOptional,
  ApiProblems,
  CurrentPrincipal,
  IdempotencyKey,
  Idempotent,
  METADATA_IN_QUERY_BYTES,
  type Principal,
  REPLAYED_HEADER,
  RequireScope,
  sendStored,
  StreamedBody,
} from '@constancia/http';
import { BadRequest } from '@constancia/problem-json';
import { Controller, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsString, Length, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { DEFAULT_CODE, IsOptionalCode } from '../validations/validation-body.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { ReceiveBatch } from './receive-batch.ts';
import { ScreeningBatchView } from './screening-batch-view.ts';

export class CreateScreeningBatchQuery {
  @ApiPropertyOptional({ default: DEFAULT_CODE, description: 'Of all rows. Its published version is used.' })
  @IsOptionalCode()
  validation_code?: string;

  @ApiOptional({
    description: 'Your own reference of the batch. Put no personal data here.',
    example: 'portfolio-2026-11',
  })
  @IsString()
  @Length(1, 200)
  external_ref?: string;

  @ApiOptional(METADATA_TEXT)
  @IsString()
  @MaxLength(METADATA_IN_QUERY_BYTES)
  metadata?: string;

  @ApiOptional({ default: false, description: 'Checks every row and keeps nothing: 200 with the errors.' })
  @IsBoolean()
  dry_run?: boolean;
}

const thousands = (count: number): string => count.toLocaleString('en');

/** POST /v1/screening-batches: many screenings in one file. */
@Controller('v1/screening-batches')
@ApiTags('Screenings')
export class CreateScreeningBatch {
  constructor(private readonly receive: ReceiveBatch) {}

  @Post()
  @RequireScope('compliance:screen')
  @HttpCode(202)
  @Idempotent()
  @ApiActor()
  @ApiOperation({
    operationId: 'createScreeningBatch',
    summary: 'Screen many subjects',
    description:
      `A file of at most ${thousands(BATCH_LIMITS.rows)} rows and ${BATCH_LIMITS.bytes / 1024 / 1024} MB, in UTF-8. CSV (RFC 4180, comma or semicolon) ` +
      `with a header; columns: ${BATCH_COLUMNS.map((column) => `\`${column}\``).join(', ')}; \`subject_ref\` is required, \`subject_type\` is natural when ` +
      'it is empty, an empty cell is a member that is left out. NDJSON: on each line a body of `POST /v1/screenings` without `validation_code`. Every row is checked before ' +
      `anything is charged: with a wrong one the answer is 400 with pointers such as \`/rows/3/payload/birth_date\` (rows count from 1; at most ${BATCH_ERRORS} ` +
      `errors), and nothing is kept. Each row is an ordinary screening: ${PRICE.screening} credits, its case, its event screening.completed. ` +
      'When credits run out the batch pauses and goes on by itself once there are some. The event screening_batch.completed follows. ' +
      `${BATCH_LIMITS.open} unfinished batches of a tenant at most, which take turns.`,
  })
  @ApiAcceptedResponse({
    type: ScreeningBatchView,
    description: 'Every row was right: the batch is worked on.',
    headers: REPLAYED_HEADER,
  })
  @ApiOkResponse({ type: BatchCheckView, description: 'With dry_run: what the file was found to be.' })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'not-found',
    'conflict',
    'payload-too-large',
    'unprocessable-entity',
    'unsupported-media-type',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Query() query: CreateScreeningBatchQuery,
    @IdempotencyKey() key: string | undefined,
    @Headers('x-actor') actor: string | undefined,
    @StreamedBody(BATCH_TYPES, BATCH_LIMITS.bytes) body: IncomingMessage | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchCheckView | string> {
    if (!body) throw new BadRequest('The body is empty: send the CSV or NDJSON file.');
    const tenantId = principal.tenant.id;
    const metadata = metadataOf(query.metadata);
    const code = query.validation_code ?? DEFAULT_CODE;
    const order = { tenantId, type: batchTypeOf(body), body };
    if (query.dry_run) {
      void reply.code(200);
      return BatchCheckView.of(await this.receive.check(order, code), PRICE.screening);
    }
    const acting = actingOf(actor, principal);
    const { answer, replayed } = await this.receive.accept(
      { ...order, ...acting, externalRef: query.external_ref, metadata, key },
      code,
    );
    return sendStored(reply, answer, replayed);
  }
}
