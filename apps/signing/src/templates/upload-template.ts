import { createHash } from 'node:crypto';
import { shape } from '@constancia/contracts';
import {
  ApiProblems,
  BODY_PROBLEMS,
  ClientIp,
  CurrentPrincipal,
  EXTERNAL_REF_LENGTH,
  METADATA,
  METADATA_IN_QUERY_BYTES,
  RawPdfBody,
  type Principal,
  RequireScope,
} from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import { PdfPool } from '@constancia/pdf-sealing';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { Controller, Headers, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { PDF_LIMIT_BYTES, pdfErrors } from '../pdf-body.ts';
import { inspected } from '../pdf-reading.ts';
import { PdfStore } from '../pdf-store.ts';
import { parsePlaceholders } from './placeholders.ts';
import type { Template } from './template.entity.ts';
import { TemplateView } from './template-view.ts';
import { Templates } from './templates.ts';
import { CODE } from '../code.ts';
import { NAME_LIMIT, parseUploadQuery } from './upload-query.ts';

/** POST /v1/templates: keep a PDF under a code, with the places where merge values are drawn. */
@Controller('v1/templates')
@ApiTags('Templates')
export class UploadTemplate {
  constructor(
    private readonly templates: Templates,
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
  ) {}

  @Post()
  @RequireScope('signing:write')
  @ApiOperation({
    operationId: 'uploadTemplate',
    summary: 'Upload a PDF template',
    description:
      'The PDF is kept as it is. `warnings` tell what will make sealing fail, so that it is known before a request pays for it. ' +
      'A template never changes: another PDF is uploaded under another code. DELETE takes it out of use.',
  })
  @ApiQuery({
    name: 'code',
    required: true,
    schema: { type: 'string', pattern: CODE.source },
    example: 'loan-agreement',
  })
  @ApiQuery({
    name: 'name',
    required: false,
    description: 'Defaults to the code.',
    schema: { type: 'string', minLength: 1, maxLength: NAME_LIMIT },
    example: 'Loan agreement 2026',
  })
  @ApiQuery({
    name: 'external_ref',
    required: false,
    description: 'Your own reference, returned with the template.',
    schema: { type: 'string', ...shape.text(EXTERNAL_REF_LENGTH) },
  })
  @ApiQuery({
    name: 'metadata',
    required: false,
    description: `A JSON object of up to ${METADATA.members} texts of your own, returned with the template.`,
    schema: { type: 'string', ...shape.text(METADATA_IN_QUERY_BYTES) },
    example: '{"area":"credit"}',
  })
  @ApiHeader({
    name: 'X-Placeholders',
    required: false,
    description:
      'JSON array of at most 200 placeholders `{key, page, x, y, size, required, max_width}`, at most 8 KB. x, y: where the baseline of ' +
      'the text begins, in PDF points from the lower-left corner of the page as a viewer shows it; size defaults to 12, required to ' +
      'false. max_width (points): a wider text is drawn smaller until it fits, at 4 points at least.',
    schema: { type: 'string', maxLength: 8192 },
    example: '[{"key":"full_name","page":1,"x":72,"y":640.5,"size":12,"required":true,"max_width":220}]',
  })
  @ApiCreatedResponse({ type: TemplateView, description: 'The template is kept.' })
  @ApiProblems(...BODY_PROBLEMS, 'duplicate-key', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Headers('x-placeholders') header: string | undefined,
    @RawPdfBody(PDF_LIMIT_BYTES) pdf: Buffer,
    @ClientIp() origin: string,
  ): Promise<TemplateView> {
    const { tenant } = principal;
    const { code, name, externalRef, metadata, errors: queryErrors } = parseUploadQuery(query);
    const { placeholders, errors: placeholderErrors } = parsePlaceholders(header);
    refuse([...queryErrors, ...placeholderErrors, ...pdfErrors(pdf)]);
    await this.templates.refuseTakenCode(tenant.id, code);

    const sha256 = createHash('sha256').update(pdf).digest();
    const storageKey = `templates/${tenant.id}/${sha256.toString('hex')}.pdf`;
    const { pageCount, warnings } = await inspected(this.pdfs, pdf, placeholders);
    // The file before the row: a row without a file would be a template that cannot be sealed.
    await this.store.put(storageKey, pdf);
    const template: Template = {
      id: uuidv7(),
      tenant_id: tenant.id,
      code,
      name,
      external_ref: externalRef,
      metadata,
      version: 1,
      sha256,
      size_bytes: pdf.length,
      storage_key: storageKey,
      page_count: pageCount,
      placeholders,
      warnings,
      created_at: new Date(),
      archived_at: null,
    };
    await this.templates.add(template, { principal, origin });
    return TemplateView.of(template);
  }
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw new ValidationError(errors);
}
