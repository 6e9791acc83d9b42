import { SIGNER_IDENTITY_REFUSALS, type SignerIdentityRefusal, shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { IdentityCheck } from '../signer-identity/identity-check.entity.ts';
import { IDENTITY_STATUSES, type IdentityStatus } from '../signer-identity/identity-states.ts';

/** How the verification of a signer's identity stands, for the sender: what was verified stays so, although it gives proofs for a day only. */
export class IdentityProgressView {
  @ApiProperty({ enum: IDENTITY_STATUSES, enumName: 'IdentityCheckStatus', example: 'verified' })
  status: IdentityStatus;

  @ApiProperty({
    enum: SIGNER_IDENTITY_REFUSALS,
    enumName: 'SignerIdentityRefusal',
    nullable: true,
    description:
      'Why it was refused, or cannot go on. insufficient_credits: add credits, and the signer can go on or start again; flow_not_published, ' +
      'flow_not_suitable: publish a version of the flow that requires document_upload and face_match; document_not_accepted: the flow ' +
      'does not accept documents of this type. The signer sees none of it.',
  })
  reason: SignerIdentityRefusal | null;

  @ApiProperty({ format: 'date-time', description: 'When it was started, or how it ended became known.' })
  at: string;

  @ApiProperty({
    ...shape.id('fls'),
    type: 'string',
    nullable: true,
    description: 'The session of the identity module, once it is verified.',
  })
  session_id: string | null;

  static of(check: IdentityCheck): IdentityProgressView {
    const { status, reason, settled_at, created_at, verified } = check;
    return {
      status,
      reason,
      at: (settled_at ?? created_at).toISOString(),
      session_id: verified?.session_id ?? null,
    };
  }
}
