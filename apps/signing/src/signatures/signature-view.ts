import { shape } from '@constancia/contracts';
import { OwnReferenceView, PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import type { FailureCode } from '@constancia/pdf-sealing';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TEMPLATE_ID_EXAMPLE } from '../templates/template-view.ts';
import { SIGNATURE_STATUSES, type SignatureRequest, type SignatureStatus } from './signature-request.entity.ts';

export const SIGNATURE_ID_EXAMPLE = 'sig_01kamx8c6ne5v8d2w6tq0v1m3z';

export const FAILURE_CODES = [
  'invalid_pdf',
  'encrypted_pdf',
  'placeholder_outside_page',
  'text_overflow',
  'unsupported_text',
  'invalid_image',
  'too_complex',
  'signing_unavailable',
  'internal',
] as const satisfies readonly FailureCode[];

/** A request as it is accepted. */
export class AcceptedSignatureView extends OwnReferenceView {
  @ApiProperty({ ...shape.id('sig'), example: SIGNATURE_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.id('tpl'), example: TEMPLATE_ID_EXAMPLE })
  template_id: string;

  @ApiProperty({ ...shape.text(200), description: "The caller's own reference, as given.", example: 'loan-2026-00417' })
  subject_ref: string;

  @ApiProperty({ enum: SIGNATURE_STATUSES, enumName: 'SignatureStatus', example: 'pending' })
  status: SignatureStatus;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ ...shape.count(), example: 40 })
  credits_debited: number;

  static of(request: AcceptedRequest): AcceptedSignatureView {
    return {
      id: typeId('sig', request.id),
      template_id: typeId('tpl', request.template_id),
      subject_ref: request.subject_ref,
      external_ref: request.external_ref,
      metadata: request.metadata,
      status: request.status,
      created_at: request.created_at.toISOString(),
      credits_debited: request.credits_debited,
    };
  }
}

/** The answer that accepts a request. */
export class CreatedSignatureView extends AcceptedSignatureView {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$' },
    maxItems: 200,
    description: 'Placeholders of the template that merge_data gives no text: they stay blank in the document.',
    example: ['second_surname'],
  })
  blank_placeholders: string[];

  static override of(request: AcceptedRequest, blankPlaceholders: string[] = []): CreatedSignatureView {
    return { ...AcceptedSignatureView.of(request), blank_placeholders: blankPlaceholders };
  }
}

type AcceptedRequest = Pick<
  SignatureRequest,
  'id' | 'template_id' | 'subject_ref' | 'external_ref' | 'metadata' | 'status' | 'created_at' | 'credits_debited'
>;

/** What a view of a request is made of. */
export type ViewedRequest = AcceptedRequest &
  Pick<SignatureRequest, 'signed_at' | 'document_sha256' | 'failure_code' | 'failure_reason' | 'credits_refunded'>;

/** A request with what became of it. */
export class SignatureView extends AcceptedSignatureView {
  @ApiProperty({
    ...shape.count(),
    description: '40 when the service itself failed to seal the document, else 0.',
    example: 0,
  })
  credits_refunded: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: '2026-11-21T15:04:07.012Z' })
  signed_at: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'SHA-256 of the sealed PDF, hex; null until it is signed.',
    pattern: '^[0-9a-f]{64}$',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  document_sha256: string | null;

  @ApiPropertyOptional({ enum: FAILURE_CODES, description: 'Present when status is failed.' })
  failure_code?: string;

  @ApiPropertyOptional({
    ...shape.text(2000),
    description: 'Present when status is failed: what to change, in a sentence.',
    example: 'Placeholder full_name is on page 3, but the document has 2 pages.',
  })
  failure_reason?: string;

  static override of(request: ViewedRequest): SignatureView {
    const view: SignatureView = {
      ...AcceptedSignatureView.of(request),
      credits_refunded: request.credits_refunded,
      signed_at: request.signed_at?.toISOString() ?? null,
      document_sha256: request.document_sha256?.toString('hex') ?? null,
    };
    if (request.failure_code !== null) view.failure_code = request.failure_code;
    if (request.failure_reason !== null) view.failure_reason = request.failure_reason;
    return view;
  }
}

export class SignaturePage extends PageOf(SignatureView) {}
