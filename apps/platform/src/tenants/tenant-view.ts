import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { LOCALES } from '../locale.ts';
import { BrandingView } from './branding-view.ts';
import { ClosingView } from './closing-view.ts';
import { PLANS, SLUG } from './plans.ts';

export class ApiKeyView {
  @ApiProperty({ pattern: '^(live|test)_[0-9A-Za-z]{4}$', description: 'How the key begins.', example: 'test_4fQz' })
  prefix: string;

  @ApiProperty({ enum: ['active', 'expiring'] })
  status: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'End of the grace of an expiring key.',
  })
  expires_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class PendingOwnerEmailView {
  @ApiProperty({ format: 'email' })
  email: string;

  @ApiProperty({ format: 'date-time' })
  requested_at: string;

  @ApiProperty({ format: 'date-time', description: 'The change is dropped unless the address is proven by then.' })
  expires_at: string;
}

/** A tenant as it sees itself, without secrets. */
export class TenantView {
  @ApiProperty({ format: 'uuid' })
  tenant_id: string;

  @ApiProperty({ pattern: SLUG.source })
  slug: string;

  @ApiProperty(shape.text(120))
  display_name: string;

  @ApiProperty({ format: 'email' })
  owner_email: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null: not verified yet. Until then mails to signers wait.',
  })
  owner_email_verified_at: string | null;

  @ApiProperty({
    type: PendingOwnerEmailView,
    nullable: true,
    description: 'The address that replaces `owner_email` once it is proven by the token that was mailed to it.',
  })
  pending_owner_email: PendingOwnerEmailView | null;

  @ApiProperty({ enum: PLANS })
  plan: string;

  @ApiProperty({ enum: ['sandbox', 'production'] })
  environment: string;

  @ApiProperty({ enum: LOCALES, description: 'Language of mails to the tenant, and that of new members by default.' })
  locale: string;

  @ApiProperty({ type: BrandingView })
  branding: BrandingView;

  @ApiProperty({ maxItems: 1_000, type: [ApiKeyView], description: 'Keys that are accepted at present, newest first.' })
  api_keys: ApiKeyView[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  webhook_secret_rotated_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until then deliveries are signed with the former webhook secret too.',
  })
  previous_webhook_secret_expires_at: string | null;

  @ApiProperty({
    type: ClosingView,
    nullable: true,
    description: 'The tenant is being closed (`POST /tenants/{id}/closing`). null: it is not.',
  })
  closing: ClosingView | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}
