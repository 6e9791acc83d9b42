import { ApiProperty } from '@nestjs/swagger';

/** The answer of a key rotation. */
export class RotatedApiKeyView {
  @ApiProperty({ format: 'uuid' })
  tenant_id: string;

  @ApiProperty({ pattern: '^(live|test)_[0-9A-Za-z]{49}$', description: 'Shown in this answer only.' })
  api_key: string;

  @ApiProperty({ format: 'date-time' })
  rotated_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The former key is accepted until then; equal to rotated_at without a grace.',
  })
  previous_key_expires_at: string;
}
