import { ApiOptional } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const MOST_DAYS = 3_650;

/** What holds without settings; the sweeps of retention are given these. */
export const DEFAULT_SETTINGS = {
  image_retention_days: 90,
  session_retention_days: 1_825,
  legal_hold_days: 0,
} as const;

/** What PUT takes: all settings; what is left out gets its default. */
export class IdentitySettingsBody {
  @ApiOptional({
    default: DEFAULT_SETTINGS.image_retention_days,
    description: 'Days that pictures are kept after their upload.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_DAYS)
  image_retention_days?: number;

  @ApiOptional({
    default: DEFAULT_SETTINGS.session_retention_days,
    description: 'Days that the answers of a session are kept after its end.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_DAYS)
  session_retention_days?: number;

  @ApiOptional({
    default: DEFAULT_SETTINGS.legal_hold_days,
    description:
      'Days from a decision (approved, rejected) during which an erasure keeps document and name, because the law obliges you to ' +
      'keep records. 0: never. The length is your legal decision.',
  })
  @IsInt()
  @Min(0)
  @Max(MOST_DAYS)
  legal_hold_days?: number;
}

export class IdentitySettings {
  @ApiProperty({ example: DEFAULT_SETTINGS.image_retention_days })
  image_retention_days: number;

  @ApiProperty({ example: DEFAULT_SETTINGS.session_retention_days })
  session_retention_days: number;

  @ApiProperty({ example: DEFAULT_SETTINGS.legal_hold_days })
  legal_hold_days: number;
}

/** The settings of the transaction's tenant. */
export async function identitySettings(tx: Tx, tenantId: string): Promise<IdentitySettings> {
  const [row] = await tx.query<IdentitySettings>(
    `select image_retention_days, session_retention_days, legal_hold_days from identity.tenant_settings where tenant_id = $1`,
    [tenantId],
  );
  return row ?? DEFAULT_SETTINGS;
}

export async function putIdentitySettings(
  tx: Tx,
  tenantId: string,
  body: IdentitySettingsBody,
): Promise<IdentitySettings> {
  const settings = { ...DEFAULT_SETTINGS, ...body };
  await tx.query(
    `insert into identity.tenant_settings (tenant_id, image_retention_days, session_retention_days, legal_hold_days)
     values ($1, $2, $3, $4)
     on conflict (tenant_id) do update
        set image_retention_days = excluded.image_retention_days, session_retention_days = excluded.session_retention_days,
            legal_hold_days = excluded.legal_hold_days, updated_at = now()`,
    [tenantId, settings.image_retention_days, settings.session_retention_days, settings.legal_hold_days],
  );
  return settings;
}
