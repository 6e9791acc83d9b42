import { ApiProperty } from '@nestjs/swagger';
import { PLANS, SLUG } from '../tenants/plans.ts';

export class SignUpView {
  @ApiProperty({ format: 'uuid' })
  tenant_id: string;

  @ApiProperty({ pattern: SLUG.source, example: 'notaria-quinta' })
  slug: string;

  @ApiProperty({ enum: PLANS })
  plan: string;

  @ApiProperty({ enum: ['sandbox', 'production'] })
  environment: string;

  @ApiProperty({
    pattern: '^(live|test)_[0-9A-Za-z]{49}$',
    description: 'Shown in this answer only. The service keeps its SHA-256.',
  })
  api_key: string;

  @ApiProperty({
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    description: 'Shown in this answer only. Verifies the signatures of webhook deliveries.',
  })
  webhook_secret: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}
