import {
  ClientIp,
  CurrentPrincipal,
  MayBeStale,
  OwnersOnly,
  type Principal,
  RequireEveryScope,
} from '@constancia/http';
import { ApiTenantExport, TenantExports } from '@constancia/tenant-export';
import { Controller, Get, Header, Req, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ComplianceExport } from './compliance-export.ts';

/** GET /v1/export: everything that the tenant owns in this module, as one archive. */
@Controller('v1/export')
export class ExportTenant {
  constructor(
    private readonly exports: TenantExports,
    private readonly compliance: ComplianceExport,
  ) {}

  @Get()
  @MayBeStale()
  @RequireEveryScope('compliance:read', 'compliance:ros')
  @OwnersOnly()
  @Header('Cache-Control', 'no-store')
  @ApiTenantExport(
    'Settings, validations with their rules, screenings with what they were made from, the files that archived ones are in, cases with their timelines and attached files, the files that old timelines are in, ROS drafts, who ' +
      'exported cases, receipts of erasures. What an erasure keeps under the legal duty stays blocked: GET /v1/erasures/{receipt_id}/data ' +
      'reads it, with a reason. The ROS drafts are reserved: nobody outside compliance may learn of them.',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Req() { method }: FastifyRequest,
  ): Promise<StreamableFile> {
    const source = await this.compliance.source(principal.tenant.id);
    return this.exports.answer(method, { host: 'compliance', principal, origin, sources: [source] });
  }
}
