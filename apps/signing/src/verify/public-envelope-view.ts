import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { ENVELOPE_STATUSES, SIGNER_STATUSES } from '../envelope-records/envelope-states.ts';
import { ProofView } from './proof-view.ts';

const HASH = { pattern: '^[0-9a-f]{64}$', example: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' };
const nullable = { type: 'string', nullable: true } as const;

export class PublicTenantView {
  @ApiProperty({ ...shape.text(120), example: 'Cooperativa de Ejemplo' })
  display_name: string;
}

export class PublicSignerView {
  @ApiProperty({
    ...shape.text(120),
    ...nullable,
    description: 'First letters only; null when the envelope has no name.',
    example: 'M••• P•••',
  })
  name_masked: string | null;

  @ApiProperty({ ...shape.role, example: 'tenant' })
  role: string;

  @ApiProperty({ enum: SIGNER_STATUSES, enumName: 'SignerStatus', example: 'signed' })
  status: string;

  @ApiProperty({ ...nullable, format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  signed_at: string | null;
}

export class PublicTrailEventView {
  @ApiProperty({ ...shape.ordinal, example: 1 })
  seq: number;

  @ApiProperty({ pattern: '^[a-z_]+\\.[a-z_]+$', maxLength: 64, example: 'signer.signed' })
  type: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  at: string;

  @ApiProperty({ ...shape.role, ...nullable, description: "The signer's role; null where no single one is meant." })
  role: string | null;

  @ApiProperty({ ...HASH, description: 'Of the whole event, as the audit trail shows it.' })
  hash: string;

  @ApiProperty({ ...HASH, description: 'The hash of the event before; 64 zeros in the first.' })
  prev_hash: string;
}

/** An envelope as the public sees it. */
export class PublicEnvelopeView extends ProofView {
  @ApiProperty({ ...shape.publicId, example: '3Kq8ZrT0vXn5LmPw2YbC7d' })
  public_id: string;

  @ApiProperty({ enum: ENVELOPE_STATUSES, enumName: 'EnvelopeStatus', example: 'sealed' })
  status: string;

  @ApiProperty({ type: () => PublicTenantView })
  tenant: PublicTenantView;

  @ApiProperty({ ...HASH, description: 'SHA-256 of the PDF that was sent to be signed.' })
  base_document_sha256: string;

  @ApiProperty({ maxItems: 20, type: () => [PublicSignerView] })
  signers: PublicSignerView[];

  @ApiProperty({ ...shape.growing, type: () => [PublicTrailEventView], description: 'Ascending, whole.' })
  trail: PublicTrailEventView[];

  @ApiProperty({ ...nullable, pattern: HASH.pattern, description: 'The hash of the last event.' })
  trail_head: string | null;
}
