import { ClientIp, CurrentPrincipal, MayBeStale, OwnersOnly, type Principal, RequireScope } from '@constancia/http';
import { ApiTenantExport, TenantExports } from '@constancia/tenant-export';
import { Controller, Get, Header, Req, type StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SigningExport } from './signing-export.ts';

/** GET /v1/export: everything that the tenant owns in this module, as one archive. */
@Controller('v1/export')
export class ExportTenant {
  constructor(
    private readonly exports: TenantExports,
    private readonly signing: SigningExport,
  ) {}

  @Get()
  @MayBeStale()
  @RequireScope('signing:read')
  @OwnersOnly()
  @Header('Cache-Control', 'no-store')
  @ApiTenantExport(
    'Templates, circuits, signature requests, envelopes with their trails, receipts of erasures, the keys that prove documents, the key and the ' +
      'certificates of your own that you set; PDFs below `templates/`, `circuits/` and `documents/`.',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Req() { method }: FastifyRequest,
  ): Promise<StreamableFile> {
    const source = await this.signing.source(principal.tenant.id);
    return this.exports.answer(method, { host: 'signing', principal, origin, sources: [source] });
  }
}
