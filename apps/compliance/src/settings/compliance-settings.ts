import type { Tx } from '@constancia/persistence';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';

/** When a resolution needs a second person: never, when the United Nations list was hit, or always. */
export const FOUR_EYES = ['off', 'onu', 'all'] as const;
export type FourEyes = (typeof FOUR_EYES)[number];

/** What PUT takes: all settings; what is left out gets its default. */
export class ComplianceSettingsBody {
  @ApiPropertyOptional({
    enum: FOUR_EYES,
    enumName: 'FourEyes',
    default: 'off',
    description: 'Whose resolutions wait for a second person: nobody’s, those of cases with a hit on ONU, or all.',
  })
  @IsOptional()
  @IsIn(FOUR_EYES)
  four_eyes?: FourEyes;

  @ApiPropertyOptional({
    default: true,
    description: 'Whether subjects that were screened before are screened again, free of charge, when a list changes.',
  })
  @IsOptional()
  @IsBoolean()
  monitoring?: boolean;
}

export class ComplianceSettings {
  @ApiProperty({ enum: FOUR_EYES, enumName: 'FourEyes', example: 'off' })
  four_eyes: FourEyes;

  @ApiProperty({ example: true })
  monitoring: boolean;
}

const DEFAULTS: ComplianceSettings = { four_eyes: 'off', monitoring: true };

/** The settings of the transaction's tenant. */
export async function settingsOf(tx: Tx, tenantId: string): Promise<ComplianceSettings> {
  const [row] = await tx.query<ComplianceSettings>(
    `select four_eyes, monitoring from compliance.tenant_settings where tenant_id = $1`,
    [tenantId],
  );
  return row ?? DEFAULTS;
}

export async function putSettings(tx: Tx, tenantId: string, body: ComplianceSettingsBody): Promise<ComplianceSettings> {
  const settings = { ...DEFAULTS, ...body };
  await tx.query(
    `insert into compliance.tenant_settings (tenant_id, four_eyes, monitoring) values ($1, $2, $3)
     on conflict (tenant_id) do update
        set four_eyes = excluded.four_eyes, monitoring = excluded.monitoring, updated_at = now()`,
    [tenantId, settings.four_eyes, settings.monitoring],
  );
  return settings;
}
