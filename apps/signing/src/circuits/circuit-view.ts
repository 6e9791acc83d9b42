import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  AUTH_METHODS,
  type AuthMethod,
  CIRCUIT_STATUSES,
  type CircuitRow,
  type CircuitStatus,
  DOCUMENT_ACCESS,
  type DocumentAccess,
  FIELD_TYPES,
  type FieldType,
} from '../envelopes/envelope-rows.ts';
import { TEMPLATE_WARNING_CODES } from '../templates/template-view.ts';

export const CIRCUIT_ID_EXAMPLE = 'cir_01kamx9d3sf0r8y7w2k4v6b1nq';

export class CircuitSignerView {
  @ApiProperty({ example: 'buyer' })
  role: string;

  @ApiProperty({ enum: AUTH_METHODS, isArray: true, example: ['otp_email'] })
  auth: AuthMethod[];

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  order: number;
}

export class CircuitFieldView {
  @ApiProperty({ example: 'buyer_signature' })
  key: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
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

  @ApiProperty({ description: 'The role whose field it is.', example: 'buyer' })
  signer: string;

  @ApiProperty({ example: true })
  required: boolean;

  @ApiPropertyOptional({ example: 'Comprador' })
  label?: string;
}

export class CircuitWarningView {
  @ApiProperty({ enum: TEMPLATE_WARNING_CODES, example: 'already_signed' })
  code: string;

  @ApiProperty({ description: 'What was found, in a sentence.' })
  detail: string;
}

export class CircuitView {
  @ApiProperty({ example: CIRCUIT_ID_EXAMPLE })
  id: string;

  @ApiProperty({ pattern: '^[a-z0-9_-]{1,64}$', example: 'sale-contract' })
  code: string;

  @ApiProperty({ example: 'Contrato de compraventa' })
  name: string;

  @ApiProperty({ enum: CIRCUIT_STATUSES, enumName: 'CircuitStatus', example: 'draft' })
  status: CircuitStatus;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  version: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 0,
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

  @ApiProperty({ type: () => [CircuitSignerView] })
  signers: CircuitSignerView[];

  @ApiProperty({ type: () => [CircuitFieldView] })
  fields: CircuitFieldView[];

  @ApiProperty({ enum: DOCUMENT_ACCESS, example: 'link' })
  document_access: DocumentAccess;

  @ApiProperty({
    type: () => [CircuitWarningView],
    description: 'What was found in the base PDF. It does not refuse the upload; publishing tells what cannot be used.',
  })
  warnings: CircuitWarningView[];

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  published_at: string | null;

  static of(circuit: CircuitRow): CircuitView {
    return {
      id: typeId('cir', circuit.id),
      code: circuit.code,
      name: circuit.name,
      status: circuit.status,
      version: circuit.version,
      page_count: circuit.page_count,
      base_pdf_sha256: circuit.base_pdf_sha256?.toString('hex') ?? null,
      signers: circuit.signers,
      fields: circuit.fields,
      document_access: circuit.document_access,
      warnings: circuit.warnings,
      created_at: circuit.created_at.toISOString(),
      published_at: circuit.published_at?.toISOString() ?? null,
    };
  }
}

export class CircuitPage {
  @ApiProperty({ type: () => [CircuitView] })
  data: CircuitView[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Send it as cursor to get the next page; null on the last page.',
  })
  next_cursor: string | null;
}
