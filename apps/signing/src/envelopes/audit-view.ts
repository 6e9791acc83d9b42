import { PageOf } from '@constancia/http';
import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { TRAIL_TYPES, type TrailEvent, type TrailType } from '../envelope-records/trail.ts';
import { SIGNER_ID_EXAMPLE } from './signer-view.ts';

/** A link of the trail: exactly the members that are hashed, and `hash`. */
export class TrailEventView implements TrailEvent {
  @ApiProperty({ ...shape.ordinal, description: 'From 1, without a gap.', example: 2 })
  seq: number;

  @ApiProperty({ enum: TRAIL_TYPES, example: 'signer.viewed' })
  type: TrailType;

  @ApiProperty({ format: 'date-time', description: "The server's time.", example: '2026-11-21T15:04:05.678Z' })
  at: string;

  @ApiProperty({
    ...shape.id('sgn'),
    type: 'string',
    nullable: true,
    description: 'Whom it is about.',
    example: SIGNER_ID_EXAMPLE,
  })
  signer_id: string | null;

  @ApiProperty({ ...shape.role, type: 'string', nullable: true, example: 'buyer' })
  role: string | null;

  @ApiProperty({
    ...shape.text(45),
    type: 'string',
    nullable: true,
    description: 'Whence the signer acted.',
    example: '203.0.113.7',
  })
  ip: string | null;

  @ApiProperty({ ...shape.text(512), type: 'string', nullable: true })
  user_agent: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The evidence.' })
  data: Record<string, unknown>;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'hash of the link before; 64 zeros in the first.' })
  prev_hash: string;

  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    description:
      'SHA-256, hex, of prev_hash (its 64 characters) followed by the event without `hash`, in canonical JSON (RFC 8785).',
  })
  hash: string;
}

export class AuditPage extends PageOf(TrailEventView) {}
