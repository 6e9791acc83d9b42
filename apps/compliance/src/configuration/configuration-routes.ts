import {
  actingOf,
  ApiActor,
  ClientIp,
  CurrentPrincipal,
  type Principal,
  RawBody,
  RequireEveryScope,
  RequireScope,
} from '@constancia/http';
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
import { Controller, Get, Headers, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ComplianceConfig } from '../config.ts';
import { settingsConfiguration } from './settings-configuration.ts';
import { ValidationConfiguration } from './validation-configuration.ts';

/** GET /v1/configuration and POST /v1/configuration/imports: validations and settings, from one tenant to another. */
@Controller('v1/configuration')
export class ConfigurationRoutes {
  constructor(
    private readonly config: ComplianceConfig,
    private readonly database: Database,
  ) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiExportConfiguration('Published validations with their rules, and the compliance settings without the retention.')
  export(
    @CurrentPrincipal() principal: Principal,
    @ClientIp() origin: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { config } = this;
    return exportConfiguration(this.source(principal, undefined), { config, principal, origin, request, reply });
  }

  @Post('imports')
  @RequireEveryScope('compliance:rules', 'settings:write')
  @HttpCode(200)
  @ApiActor()
  @ApiImportConfiguration(
    'With publish_four_eyes a validation waits until a second person publishes it, too. Settings that relax four eyes are a conflict.',
  )
  import(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actor: string | undefined,
    @ClientIp() origin: string,
    @Query() { dry_run: dryRun = false }: ImportConfigurationQuery,
    @RawBody(ZIP, ZIP_LIMITS.bytes) zip: Buffer,
  ): Promise<ConfigurationImportView> {
    return importConfiguration(this.source(principal, actor), { config: this.config, principal, origin, zip, dryRun });
  }

  private source(principal: Principal, actor: string | undefined): ConfigurationSource {
    const { id } = principal.tenant;
    const validations = new ValidationConfiguration(id, actingOf(actor, principal));
    return {
      host: 'compliance',
      parts: [{ database: this.database, kinds: [validations, settingsConfiguration(id)] }],
    };
  }
}
