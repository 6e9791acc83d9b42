import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  ExternalRef,
  MayBeStale,
  OrderedPageQuery,
  page,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ArrayUnique, IsIn, IsString } from 'class-validator';
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '../envelope-records/envelope-states.ts';
import { type EnvelopeFile, EnvelopePage, EnvelopeView } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';

export class ListEnvelopesQuery extends OrderedPageQuery {
  @ApiOptional({
    isArray: true,
    maxItems: ENVELOPE_STATUSES.length,
    description: 'Envelopes in one of these states: `status=sent&status=in_progress`.',
  })
  @ArrayUnique()
  @IsIn(ENVELOPE_STATUSES, { each: true })
  status?: EnvelopeStatus[];

  @ApiOptional({ ...shape.id('cir'), description: 'Only envelopes of this circuit.' })
  @IsString()
  circuit_id?: string;

  @ExternalRef('Only envelopes with this reference.')
  external_ref?: string;
}

/** GET /v1/envelopes: newest first, or oldest first. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class ListEnvelopes {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly tokens: SignTokens,
  ) {}

  @Get()
  @MayBeStale()
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'listEnvelopes',
    summary: 'List envelopes, newest first',
    description: 'With their signers’ progress, without links; `status`, `circuit_id` and `external_ref` narrow it.',
  })
  @ApiOkResponse({ type: EnvelopePage, description: 'A page of envelopes.' })
  @ApiProblems('validation-error', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListEnvelopesQuery): Promise<EnvelopePage> {
    const files = await this.filesOf(tenant, query);
    const { data, next_cursor } = page(files, query.limit, ({ envelope }) => [envelope.id]);
    return { data: data.map((file) => EnvelopeView.ofFile(file, this.tokens)), next_cursor };
  }

  private async filesOf(tenant: Tenant, query: ListEnvelopesQuery): Promise<EnvelopeFile[]> {
    const circuitUuid = query.circuit_id === undefined ? undefined : uuidOf('cir', query.circuit_id);
    if (circuitUuid === null) return []; // no circuit has such an id
    const { status: statuses, external_ref: externalRef, order, limit } = query;
    const beyondId = beforeId(query);
    return this.envelopes.list(tenant.id, { statuses, circuitUuid, externalRef, order, beyondId, limit: limit + 1 });
  }
}
