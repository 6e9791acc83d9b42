import { type Retention, RETENTION_PERIODS } from '@constancia/contracts';
import { ApiOptional } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { retentionOf } from '@constancia/personal-data';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const { image_days, session_days, legal_hold_days } = RETENTION_PERIODS.identity;

/** What PUT takes: all settings; what is left out gets its default. */
export class IdentitySettingsBody {
  @ApiOptional({
    default: image_days.default,
    description: 'Days that pictures are kept after their upload.',
  })
  @IsInt()
  @Min(image_days.min)
  @Max(image_days.max)
  image_retention_days?: number;

  @ApiOptional({
    default: session_days.default,
    description: 'Days that the answers of a session are kept after its end.',
  })
  @IsInt()
  @Min(session_days.min)
  @Max(session_days.max)
  session_retention_days?: number;

  @ApiOptional({
    default: legal_hold_days.default,
    description:
      'Days from a decision (approved, rejected) during which an erasure keeps document and name, because the law obliges you to ' +
      'keep records. 0: never. The length is your legal decision.',
  })
  @IsInt()
  @Min(legal_hold_days.min)
  @Max(legal_hold_days.max)
  legal_hold_days?: number;
}

/** The identity module's part of the tenant's retention, under the names that this module had for it first. */
export class IdentitySettings {
  @ApiProperty({ example: image_days.default })
  image_retention_days: number;

  @ApiProperty({ example: session_days.default })
  session_retention_days: number;

  @ApiProperty({ example: legal_hold_days.default })
  legal_hold_days: number;

  static of({ identity }: Pick<Retention, 'identity'>): IdentitySettings {
    return {
      image_retention_days: identity.image_days,
      session_retention_days: identity.session_days,
      legal_hold_days: identity.legal_hold_days,
    };
  }
}

/** The settings of the transaction's tenant. */
export async function identitySettings(tx: Tx, tenantId: string): Promise<IdentitySettings> {
  return IdentitySettings.of(await retentionOf(tx, tenantId));
}

export async function putIdentitySettings(tx: Tx, tenantId: string, body: IdentitySettingsBody): Promise<void> {
  await tx.query('select platform_v1.put_identity_retention($1, $2, $3, $4)', [
    tenantId,
    body.image_retention_days ?? null,
    body.session_retention_days ?? null,
    body.legal_hold_days ?? null,
  ]);
}
