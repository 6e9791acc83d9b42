import { shape } from '@constancia/contracts';
import { ApiPublicProblems, pathUuid, Public } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { RETURN_PAGE_PATH } from './return-page.ts';
import type { Topup } from './topup.entity.ts';

type Owner = Pick<Topup, 'status' | 'return_url' | 'expires_at'>;
const OUTCOMES = ['approved', 'pending', 'failure'] as const;

/**
 * GET /v1/billing/topups/{id}/return: where the provider sends the payer. The provider knows our origin only; the address that the payer
 * goes on to is the stored one, never one of the query.
 */
@Controller('v1/billing/topups')
@ApiTags('Billing')
export class ReturnPayer {
  constructor(private readonly database: Database) {}

  @Get(':id/return')
  @Public()
  @ApiOperation({
    operationId: 'returnPayer',
    summary: 'Send the payer back',
    description:
      'Redirects to `return_url` of the top-up with `status` (approved, pending, failure or expired) and `topup_id`. The status is what ' +
      'the browser was told: do not trust it. Credits are shown by GET /v1/billing/topups/{id} and by the event.',
  })
  @ApiQuery({ name: 'outcome', required: false, enum: OUTCOMES })
  @ApiResponse({
    status: 303,
    description: 'To `return_url`, or to a page of ours without one.',
    headers: { Location: { description: 'Where to.', schema: { type: 'string', ...shape.text(4_000) } } },
  })
  @ApiPublicProblems('not-found')
  async handle(
    @Param('id') id: string,
    @Query('outcome') outcome: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const uuid = pathUuid('top', id);
    const [topup] = await this.database.query<Owner>('select * from platform.topup_owner($1)', [uuid]);
    if (!topup) throw new NotFound();
    void reply.header('cache-control', 'no-store').redirect(addressFor(topup, typeId('top', uuid), outcome), 303);
  }
}

function addressFor({ return_url, status, expires_at }: Owner, topupId: string, outcome: unknown): string {
  const said = OUTCOMES.find((one) => one === outcome) ?? 'failure';
  const isOver = said !== 'approved' && status === 'expired' && expires_at.getTime() < Date.now();
  if (return_url === null) return RETURN_PAGE_PATH;
  const url = new URL(return_url);
  url.searchParams.set('status', isOver ? 'expired' : said);
  url.searchParams.set('topup_id', topupId);
  return url.href;
}
