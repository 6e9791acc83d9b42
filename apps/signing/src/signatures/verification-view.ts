import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { KEY_ARN_EXAMPLE } from '../signing-keys/signing-key-view.ts';

/** The service's signature inside the PDF (PAdES). */
export class EmbeddedSignatureView {
  @ApiProperty({
    description:
      'Whether the signature inside the PDF holds over these bytes, all of them: it is false when anything was changed, or added later ' +
      "but the service's own evidence.",
  })
  valid: boolean;

  @ApiProperty({
    description:
      'PAdES baseline level: B-T has a time-stamp of an authority, B-LT also what shows that the certificates were valid, B-LTA also a ' +
      'time-stamp over all of that.',
    enum: ['B-B', 'B-T', 'B-LT', 'B-LTA'],
    example: 'B-B',
  })
  level: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';

  @ApiProperty({
    description:
      'Whether it certifies the document and permits no change afterwards (DocMDP), so that readers report every later revision. false for ' +
      'a document that was signed before it was sealed here, and for documents sealed by earlier releases.',
    example: true,
  })
  certified: boolean;

  @ApiProperty({
    ...shape.text(2000),
    description: "Subject of the signer's certificate (RFC 4514).",
    example: 'CN=Constancia, O=Constancia, C=CO',
  })
  signer: string;
}

export class VerificationView {
  @ApiProperty({
    description:
      'Whether these bytes are the signed document: their SHA-256 is the signed one and the signature over it holds.',
    example: true,
  })
  valid: boolean;

  @ApiProperty({
    description: 'SHA-256 of the bytes that were looked at, hex.',
    pattern: '^[0-9a-f]{64}$',
    example: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  })
  sha256: string;

  @ApiProperty({ ...shape.keyArn, example: KEY_ARN_EXAMPLE })
  kms_key_arn: string;

  @ApiProperty({ ...shape.text(64), example: 'RSASSA_PKCS1_V1_5_SHA_256' })
  signature_algorithm: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:07.012Z' })
  signed_at: string;

  @ApiProperty({
    type: () => EmbeddedSignatureView,
    nullable: true,
    description:
      "The service's signature inside the PDF; null when the bytes carry none. Others' signatures are not reported.",
  })
  embedded_signature: EmbeddedSignatureView | null;
}
