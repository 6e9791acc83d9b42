import type { IncomingMessage } from 'node:http';
import { BATCH_ERRORS, BATCH_TYPES, BatchCheckView, batchTypeOf, METADATA_TEXT, metadataOf } from '@constancia/batches';
import { PRICE, shape } from '@constancia/contracts';
import {
  actingOf,
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
import { Controller, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsString, Length, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { CIRCUIT_ID_EXAMPLE } from '../circuits/circuit-view.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { COLUMN_FORMS } from './batch-rows.ts';
import { EnvelopeBatchView } from './envelope-batch-view.ts';
import { ReceiveBatch } from './receive-batch.ts';

export class CreateEnvelopeBatchQuery {
  @ApiProperty({ ...shape.id('cir'), description: 'A published circuit, of all rows.', example: CIRCUIT_ID_EXAMPLE })
  @IsString()
  circuit_id: string;

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

/** POST /v1/envelope-batches: many envelopes of one circuit in one file. */
@Controller('v1/envelope-batches')
@ApiTags('Envelopes')
export class CreateEnvelopeBatch {
  constructor(private readonly receive: ReceiveBatch) {}

  @Post()
  @RequireScope('signing:write')
  @HttpCode(202)
  @Idempotent()
  @ApiOperation({
    operationId: 'createEnvelopeBatch',
    summary: 'Send a circuit to many',
    description:
      `A file of at most ${thousands(BATCH_LIMITS.rows)} rows and ${BATCH_LIMITS.bytes / 1024 / 1024} MB, in UTF-8. CSV (RFC 4180, comma or semicolon) ` +
      `with a header; columns: ${COLUMN_FORMS.map((column) => `\`${column}\``).join(', ')}; the address of every role is required, an empty cell is a ` +
      'member that is left out. NDJSON: on each line a body of `POST /v1/envelopes` without `circuit_id`. Every row is checked before anything ' +
      'is sent or charged, its values on the document too: with a wrong one the answer is 400 with pointers such as ' +
      `\`/rows/3/signers.buyer.email\` (CSV) and \`/rows/3/signers/0/email\` (NDJSON; rows count from 1; at most ${BATCH_ERRORS} errors), and nothing is ` +
      `kept. Each row is an ordinary envelope: ${PRICE.envelope} credits, its mails, its event seal.envelope.sent. It is made of this version of the ` +
      'circuit, also when another one is published meanwhile. When credits run out the batch pauses and goes on by itself once there are ' +
      `some. The event seal.envelope_batch.completed follows. ${BATCH_LIMITS.open} unfinished batches of a tenant at most, which take turns.`,
  })
  @ApiAcceptedResponse({
    type: EnvelopeBatchView,
    description: 'Every row was right: the batch is worked on.',
    headers: REPLAYED_HEADER,
  })
  @ApiOkResponse({ type: BatchCheckView, description: 'With dry_run: what the file was found to be.' })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'not-found',
    'state-conflict',
    'conflict',
    'payload-too-large',
    'unprocessable-entity',
    'unsupported-media-type',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Query() query: CreateEnvelopeBatchQuery,
    @IdempotencyKey() key: string | undefined,
    @StreamedBody(BATCH_TYPES, BATCH_LIMITS.bytes) body: IncomingMessage | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchCheckView | string> {
    if (!body) throw new BadRequest('The body is empty: send the CSV or NDJSON file.');
    const metadata = metadataOf(query.metadata);
    const file = { tenantId: principal.tenant.id, type: batchTypeOf(body), body };
    if (query.dry_run) {
      void reply.code(200);
      return BatchCheckView.of(await this.receive.check(file, query.circuit_id), PRICE.envelope);
    }
    const acting = actingOf(undefined, principal);
    const { answer, replayed } = await this.receive.accept(
      { ...file, ...acting, externalRef: query.external_ref, metadata, key },
      query.circuit_id,
    );
    return sendStored(reply, answer, replayed);
  }
}
