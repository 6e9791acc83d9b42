import { ApiProperty } from '@nestjs/swagger';
import { BROWSER_TOKEN } from '../signer-requests/browser-tokens.ts';
import type { IdentityCheck } from './identity-check.entity.ts';
import { IDENTITY_STATUSES, type IdentityStatus, presentStatus, VERIFIED_HOURS } from './identity-states.ts';

/** How the verification stands, for the browser that began it. It never says why a person was not verified. */
export class IdentityCheckView {
  @ApiProperty({
    enum: IDENTITY_STATUSES,
    enumName: 'IdentityCheckStatus',
    description:
      'requested: ask again in a moment; open: the signer goes on at `capture_url`; in_review: a person looks at it; verified: `complete` ' +
      `gives the proof, for ${VERIFIED_HOURS} hours; name_mismatch: the name on the document is not the one in the envelope; not_verified, ` +
      'expired: another verification can be started; refused: none is possible at present, or none with this document. The sender sees why.',
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
    pattern: BROWSER_TOKEN.source,
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

export function identityView(check: IdentityCheck, captureUrl: string | null): IdentityCheckView {
  return { status: presentStatus(check), capture_url: captureUrl };
}
