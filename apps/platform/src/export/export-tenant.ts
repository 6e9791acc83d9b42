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
import { IdentityExport } from '../identity/export/identity-export.ts';
import { PlatformExport } from './platform-export.ts';

/** GET /v1/export: everything that the tenant owns in the modules of this host, as one archive. */
@Controller('v1/export')
export class ExportTenant {
  constructor(
    private readonly exports: TenantExports,
    private readonly platform: PlatformExport,
    private readonly identity: IdentityExport,
  ) {}

  @Get()
  @MayBeStale()
  @RequireEveryScope('identity:read', 'webhooks:read', 'billing:read', 'audit:read')
  @OwnersOnly()
  @Header('Cache-Control', 'no-store')
  @ApiTenantExport(
    'Below `platform/`: the tenant and its retention, API keys, members, webhook endpoints, events and deliveries, the ledger, top-ups, ' +
      'the audit log. Below `identity/`: flows, subjects, sessions with their answers, trails and reviews, clients of the OpenID provider, receipts of erasures. ' +
      'Pictures of documents and faces, which are shown to reviewers alone, are not in it.',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Req() { method }: FastifyRequest,
  ): Promise<StreamableFile> {
    const { id } = principal.tenant;
    const sources = [this.platform.source(id), this.identity.source(id)];
    return this.exports.answer(method, { host: 'platform', principal, origin, sources });
  }
}
