import { shape } from '@constancia/contracts';
import { OwnReferenceView, PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { TEMPLATE_WARNING_CODES } from '@constancia/pdf-sealing';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Placeholder, Template } from './template.entity.ts';

export const TEMPLATE_ID_EXAMPLE = 'tpl_01kamx6q7peqh8h51n8zq8y5hc';

/** A placeholder as the API shows it. */
export class PlaceholderView {
  @ApiProperty({ description: 'Name of the merge field.', pattern: '^[A-Za-z0-9_.-]{1,64}$', example: 'full_name' })
  key: string;

  @ApiProperty({ ...shape.ordinal, description: 'Page number, from 1.', example: 1 })
  page: number;

  @ApiProperty({
    type: 'number',
    description: 'Start of the baseline in PDF points, from the left edge of the page as a viewer shows it.',
    example: 72,
  })
  x: number;

  @ApiProperty({
    type: 'number',
    description: 'Baseline in PDF points, from the lower edge of the page as a viewer shows it.',
    example: 640.5,
  })
  y: number;

  @ApiProperty({ type: 'number', description: 'Text size in points.', minimum: 4, maximum: 144, example: 12 })
  size: number;

  @ApiProperty({ description: 'Whether a request without a value for it is refused.', example: false })
  required: boolean;

  @ApiPropertyOptional({
    type: 'number',
    description:
      'Points that the text may be wide. A wider one is drawn smaller until it fits, and no smaller than 4 points: then the request ' +
      'fails with text_overflow. Left out: only the edge of the page limits the text.',
    minimum: 4,
    maximum: 14_400,
    example: 220,
  })
  max_width?: number;

  static of(placeholder: Placeholder): PlaceholderView {
    return { ...placeholder, required: placeholder.required ?? false };
  }
}

export class TemplateWarningView {
  @ApiProperty({ enum: TEMPLATE_WARNING_CODES, example: 'placeholder_outside_page' })
  code: string;

  @ApiProperty({
    ...shape.text(2000),
    description: 'What was found, in a sentence.',
    example: 'Placeholder full_name is on page 3 of 2.',
  })
  detail: string;
}

export class TemplateView extends OwnReferenceView {
  @ApiProperty({ ...shape.id('tpl'), example: TEMPLATE_ID_EXAMPLE })
  id: string;

  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'loan-agreement' })
  code: string;

  @ApiProperty({ ...shape.text(200), example: 'Loan agreement 2026' })
  name: string;

  @ApiProperty({ ...shape.ordinal, description: 'Always 1: another PDF is uploaded under another code.', example: 1 })
  version: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Since when it takes no more requests; null while it does.',
    example: null,
  })
  archived_at: string | null;

  @ApiProperty({
    description: 'SHA-256 of the uploaded bytes, hex.',
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256: string;

  @ApiProperty({ ...shape.count(), nullable: true, description: 'null when the PDF cannot be read.', example: 2 })
  page_count: number | null;

  @ApiProperty({ maxItems: 200, type: () => [PlaceholderView] })
  placeholders: PlaceholderView[];

  @ApiProperty({
    maxItems: 300,
    type: () => [TemplateWarningView],
    description:
      'What will, or may, make the sealing of requests on this template fail. A warning does not refuse the template.',
  })
  warnings: TemplateWarningView[];

  static of(template: Template): TemplateView {
    return {
      id: typeId('tpl', template.id),
      code: template.code,
      name: template.name,
      external_ref: template.external_ref,
      metadata: template.metadata,
      version: template.version,
      created_at: template.created_at.toISOString(),
      archived_at: template.archived_at?.toISOString() ?? null,
      sha256: template.sha256.toString('hex'),
      page_count: template.page_count,
      placeholders: template.placeholders.map((placeholder) => PlaceholderView.of(placeholder)),
      warnings: template.warnings,
    };
  }
}

export class TemplatePage extends PageOf(TemplateView) {}
