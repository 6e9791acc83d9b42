import { ClientIp, CurrentPrincipal, type Principal, RawBody, RequireEveryScope } from '@constancia/http';
import { SecretBox } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import {
  ApiExportConfiguration,
  ApiImportConfiguration,
  type ConfigurationImportView,
  type ConfigurationSource,
  exportConfiguration,
  importConfiguration,
  ImportConfigurationQuery,
  ZIP,
  ZIP_LIMITS,
} from '@constancia/tenant-export';
import { Controller, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { flowConfiguration } from '../identity/flows/flow-configuration.ts';
import { IdentityDatabase } from '../identity/identity-database.ts';
import { WebhookTargets } from '../webhook-endpoints/webhook-targets.ts';
import { EndpointConfiguration } from './endpoint-configuration.ts';

/** GET /v1/configuration and POST /v1/configuration/imports: flows and webhook endpoints, from one tenant to another. */
@Controller('v1/configuration')
export class ConfigurationRoutes {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly identity: IdentityDatabase,
    private readonly targets: WebhookTargets,
    private readonly secrets: SecretBox,
  ) {}

  @Get()
  @RequireEveryScope('identity:read', 'webhooks:read')
  @ApiExportConfiguration('Published flows, and webhook endpoints without their secrets.')
  export(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { config } = this;
    return exportConfiguration(this.source(principal), { config, principal, origin, request, reply });
  }

  @Post('imports')
  @RequireEveryScope('identity:write', 'webhooks:write')
  @HttpCode(200)
  @ApiImportConfiguration(
    'Endpoints are known by their address and created disabled. The endpoint of a module that has another address is a conflict.',
  )
  import(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Query() { dry_run: dryRun = false }: ImportConfigurationQuery,
    @RawBody(ZIP, ZIP_LIMITS.bytes) zip: Buffer,
  ): Promise<ConfigurationImportView> {
    return importConfiguration(this.source(principal), { config: this.config, principal, origin, zip, dryRun });
  }

  private source({ tenant: { id } }: Principal): ConfigurationSource {
    return {
      host: 'platform',
      parts: [
        { database: this.identity, kinds: [flowConfiguration(id)] },
        { database: this.database, kinds: [new EndpointConfiguration(id, this.targets, this.secrets)] },
      ],
    };
  }
}
