import { CREDENTIAL_STATES, type CredentialState, shape, type WalletCredentialFacts } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { STATUS } from '@constancia/status-list';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_COPIES } from './credential-issuer.ts';
import type { WalletCredential } from './wallet-credential.entity.ts';

export class WalletCredentialView implements WalletCredentialFacts {
  @ApiProperty({ ...shape.id('wcr') })
  id: string;

  @ApiProperty({ ...shape.id('wvr'), description: 'The verification that it states.' })
  verification_id: string;

  @ApiProperty({
    enum: CREDENTIAL_STATES,
    description: 'superseded: of an earlier verification than the one that you kept last.',
  })
  status: CredentialState;

  @ApiProperty({ ...shape.count(MAX_COPIES, 1), description: 'Each has a key of its own, and is for one verifier.' })
  copies: number;

  @ApiProperty({ format: 'date-time' })
  issued_at: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it was revoked or superseded.' })
  ended_at: string | null;

  static of(row: WalletCredential, now: Date = new Date()): WalletCredentialView {
    return {
      id: typeId('wcr', row.id),
      verification_id: typeId('wvr', row.verification_id),
      status: stateOf(row, now),
      copies: row.copies,
      issued_at: row.issued_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
    };
  }
}

export class WalletCredentialPage extends PageOf(WalletCredentialView, { data: 'Newest first.' }) {}

function stateOf({ status, expires_at }: WalletCredential, now: Date): CredentialState {
  if (status === STATUS.revoked) return 'revoked';
  if (expires_at <= now) return 'expired';
  return status === STATUS.superseded ? 'superseded' : 'valid';
}
