import { shape } from '@constancia/contracts';
import { OwnReferenceView, PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { TEMPLATE_WARNING_CODES } from '@constancia/pdf-sealing';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  AUTH_METHODS,
  type AuthMethod,
  CIRCUIT_STATUSES,
  type Circuit,
  type CircuitStatus,
  DOCUMENT_ACCESS,
  type DocumentAccess,
  FIELD_TYPES,
  type FieldType,
} from './circuit.entity.ts';

export const CIRCUIT_ID_EXAMPLE = 'cir_01kamx9d3sf0r8y7w2k4v6b1nq';

export class IdentityFlowView {
  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'onboarding' })
  type: string;

  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'default' })
  code: string;
}

export class CircuitSignerView {
  @ApiProperty({ ...shape.role, example: 'buyer' })
  role: string;

  @ApiProperty({ maxItems: AUTH_METHODS.length, enum: AUTH_METHODS, isArray: true, example: ['otp_email'] })
  auth: AuthMethod[];

  @ApiProperty({ ...shape.ordinal, example: 1 })
  order: number;

  @ApiPropertyOptional({ description: 'Where the identity of the signer is verified.' })
  identity_flow?: IdentityFlowView;
}

export class FieldConditionView {
  @ApiProperty({ ...shape.fieldKey, example: 'has_guarantor' })
  field: string;

  @ApiProperty({ oneOf: [{ type: 'string', ...shape.text(200) }, { type: 'boolean' }], example: true })
  equals: string | boolean;
}

export class CircuitFieldView {
  @ApiProperty({ ...shape.fieldKey, example: 'buyer_signature' })
  key: string;

  @ApiProperty({ ...shape.ordinal, example: 1 })
  page: number;

  @ApiProperty({ type: 'number', description: 'Left edge of the box, in points.', example: 72 })
  x: number;

  @ApiProperty({ type: 'number', description: 'Lower edge of the box, in points.', example: 120 })
  y: number;

  @ApiProperty({ type: 'number', example: 180 })
  width: number;

  @ApiProperty({ type: 'number', example: 48 })
  height: number;

  @ApiProperty({ enum: FIELD_TYPES, example: 'signature' })
  type: FieldType;

  @ApiProperty({ ...shape.role, description: 'The role whose field it is.', example: 'buyer' })
  signer: string;

  @ApiProperty({ example: true })
  required: boolean;

  @ApiPropertyOptional({ description: 'Present when the signer cannot change a prefilled value.', example: true })
  locked?: boolean;

  @ApiPropertyOptional({ description: 'When the field is shown; always, when left out.' })
  visible_if?: FieldConditionView;

  @ApiPropertyOptional({ ...shape.text(200), example: 'Comprador' })
  label?: string;
}

export class CircuitWarningView {
  @ApiProperty({ enum: TEMPLATE_WARNING_CODES, example: 'already_signed' })
  code: string;

  @ApiProperty({ ...shape.text(2000), description: 'What was found, in a sentence.' })
  detail: string;
}

export class CircuitView extends OwnReferenceView {
  @ApiProperty({ ...shape.id('cir'), example: CIRCUIT_ID_EXAMPLE })
  id: string;

  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'sale-contract' })
  code: string;

  @ApiProperty({ ...shape.text(200), example: 'Contrato de compraventa' })
  name: string;

  @ApiProperty({ enum: CIRCUIT_STATUSES, enumName: 'CircuitStatus', example: 'draft' })
  status: CircuitStatus;

  @ApiProperty({ ...shape.ordinal, example: 1 })
  version: number;

  @ApiProperty({
    ...shape.count(),
    nullable: true,
    description: 'null without a base PDF, and when it cannot be read.',
    example: 3,
  })
  page_count: number | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'SHA-256 of the base PDF, hex; null until it is uploaded.',
    pattern: '^[0-9a-f]{64}$',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  base_pdf_sha256: string | null;

  @ApiProperty({ maxItems: 20, type: () => [CircuitSignerView] })
  signers: CircuitSignerView[];

  @ApiProperty({ maxItems: 200, type: () => [CircuitFieldView] })
  fields: CircuitFieldView[];

  @ApiProperty({ enum: DOCUMENT_ACCESS, example: 'link' })
  document_access: DocumentAccess;

  @ApiProperty({ description: 'Whether the mail that all have signed carries the sealed PDF.', example: false })
  attach_document: boolean;

  @ApiProperty({
    maxItems: 300,
    type: () => [CircuitWarningView],
    description:
      'What was found in the base PDF. It does not refuse the upload; publishing reports what cannot be used.',
  })
  warnings: CircuitWarningView[];

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  published_at: string | null;

  static of(circuit: Circuit): CircuitView {
    return {
      id: typeId('cir', circuit.id),
      code: circuit.code,
      name: circuit.name,
      external_ref: circuit.external_ref,
      metadata: circuit.metadata,
      status: circuit.status,
      version: circuit.version,
      page_count: circuit.page_count,
      base_pdf_sha256: circuit.base_pdf_sha256?.toString('hex') ?? null,
      signers: circuit.signers,
      fields: circuit.fields,
      document_access: circuit.document_access,
      attach_document: circuit.attach_document,
      warnings: circuit.warnings,
      created_at: circuit.created_at.toISOString(),
      published_at: circuit.published_at?.toISOString() ?? null,
    };
  }
}

export class CircuitPage extends PageOf(CircuitView) {}
