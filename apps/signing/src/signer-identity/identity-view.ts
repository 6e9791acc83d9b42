import { ApiProperty } from '@nestjs/swagger';
import type { IdentityCheck } from './identity-check.entity.ts';
import { IDENTITY_STATUSES, type IdentityStatus } from './identity-states.ts';

/** How the verification stands, for the browser that began it. It never says why somebody was not verified. */
export class IdentityCheckView {
  @ApiProperty({
    enum: IDENTITY_STATUSES,
    enumName: 'IdentityCheckStatus',
    description:
      'requested: ask again in a moment; open: the signer goes on at `capture_url`; in_review: a person looks at it; verified: `complete` ' +
      'gives the proof; name_mismatch: the document names somebody else than the envelope does; not_verified, expired: it can be begun again; ' +
      'refused: no verification is possible with this document.',
  })
  status: IdentityStatus;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    maxLength: 2048,
    nullable: true,
    description: 'While `status` is open.',
  })
  capture_url: string | null;
}

export class IdentityClaimView {
  @ApiProperty({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description:
      'That this client began the verification: sent as `X-Identity-Claim`. Pages on the sign host have it as a cookie.',
    example: 'rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxEQ0dN8yXcV1',
  })
  token: string;
}

export class StartedIdentityView extends IdentityCheckView {
  @ApiProperty({
    type: () => IdentityClaimView,
    nullable: true,
    description: 'Shown once; null when this client had begun it already.',
  })
  claim: IdentityClaimView | null;
}

export function identityView({ status }: IdentityCheck, captureUrl: string | null): IdentityCheckView {
  return { status, capture_url: captureUrl };
}
