import { ClientIp, CurrentPrincipal, type Principal, RawBody, RequireScope } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { PdfPool } from '@constancia/pdf-sealing';
import {
  ApiExportConfiguration,
  ApiImportConfiguration,
  type ConfigurationFile,
  type ConfigurationImportView,
  type ConfigurationSource,
  exportConfiguration,
  importConfiguration,
  ImportConfigurationQuery,
  ZIP,
  ZIP_LIMITS,
} from '@constancia/tenant-export';
import { TextMessages } from '@constancia/text-messages';
import { Controller, Get, HttpCode, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { IsNull } from 'typeorm';
import { Circuit } from '../circuits/circuit.entity.ts';
import { SigningConfig } from '../config.ts';
import { Template } from '../templates/template.entity.ts';
import { CircuitConfiguration } from './circuit-configuration.ts';
import { ImportedPdfs, pathOf } from './imported-pdfs.ts';
import { TemplateConfiguration } from './template-configuration.ts';

/** GET /v1/configuration and POST /v1/configuration/imports: templates and circuits with their PDFs, from one tenant to another. */
@Controller('v1/configuration')
export class ConfigurationRoutes {
  constructor(
    private readonly config: SigningConfig,
    private readonly database: Database,
    private readonly pdfs: ImportedPdfs,
    private readonly pool: PdfPool,
    private readonly texts: TextMessages,
  ) {}

  @Get()
  @RequireScope('signing:read')
  @ApiExportConfiguration('Templates in use and published circuits, with their PDFs.')
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
  @RequireScope('signing:write')
  @HttpCode(200)
  @ApiImportConfiguration(
    'PDFs are checked as an upload is, circuits as at publishing. A template that exists with other content is a conflict: it never changes.',
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
    const { database, pdfs, pool, texts } = this;
    const circuits = new CircuitConfiguration(id, pdfs, pool, texts.channels);
    return {
      host: 'signing',
      parts: [{ database, kinds: [new TemplateConfiguration(id, pdfs), circuits] }],
      files: (tx) => pdfsOf(tx, id),
      open: (file) => pdfs.open(file),
    };
  }
}

/** Each PDF once, also when several templates and circuits name it. */
async function pdfsOf(tx: Tx, tenant_id: string): Promise<ConfigurationFile[]> {
  const templates = await tx.manager.findBy(Template, { tenant_id, archived_at: IsNull() });
  const circuits = await tx.manager.findBy(Circuit, { tenant_id, status: 'published' });
  const found = new Map<string, ConfigurationFile>();
  const add = (digest: Buffer | null, key: string | null, bytes: number | null) => {
    if (digest === null || key === null || bytes === null) return;
    const sha256 = digest.toString('hex');
    found.set(sha256, { path: pathOf(sha256), key, bytes, sha256 });
  };
  for (const { sha256, storage_key, size_bytes } of templates) add(sha256, storage_key, size_bytes);
  for (const { base_pdf_sha256, base_pdf_key, base_pdf_size } of circuits)
    add(base_pdf_sha256, base_pdf_key, base_pdf_size);
  return [...found.values()];
}
