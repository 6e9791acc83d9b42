import { RETENTION_PERIODS } from '@constancia/contracts';
import { ApiOptional } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { retentionOf } from '@constancia/personal-data';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import type { TenantSettings } from './compliance-settings.entity.ts';

/** When a resolution needs a second person: never, when the United Nations list was hit, or always. */
const FOUR_EYES = ['off', 'onu', 'all'] as const satisfies TenantSettings['four_eyes'][];

const { min, max, default: byDefault } = RETENTION_PERIODS.compliance.blocked_days;

/** What PUT takes: all settings; what is left out gets its default. */
export class ComplianceSettingsBody {
  @ApiOptional({
    enumName: 'FourEyes',
    default: 'off',
    description: 'Whose resolutions wait for a second person: nobody’s, those of cases with a hit on ONU, or all.',
  })
  @IsIn(FOUR_EYES)
  four_eyes?: TenantSettings['four_eyes'];

  @ApiOptional({
    default: true,
    description: 'Whether subjects that were screened before are screened again, free of charge, when a list changes.',
  })
  @IsBoolean()
  monitoring?: boolean;

  @ApiOptional({
    deprecated: true,
    description:
      'Days for which an erased person’s screenings and cases are kept, blocked. Never less than the five years of SARLAFT. Left out, it ' +
      'stays as it is: it is `compliance.blocked_days` of `PUT /tenants/{id}/retention`.',
  })
  @IsInt()
  @Min(min)
  @Max(max)
  retention_days?: number;

  @ApiOptional({
    default: false,
    description:
      'Declares that you authenticate your analysts yourselves: then the person that a key names in X-Actor may be the second of two. ' +
      'Otherwise the second person must be a member.',
  })
  @IsBoolean()
  trusted_actor?: boolean;

  @ApiOptional({
    default: false,
    description: 'Whether a draft of a validation is published only after a second person published it, too.',
  })
  @IsBoolean()
  publish_four_eyes?: boolean;
}

export class ComplianceSettings {
  @ApiProperty({ enum: FOUR_EYES, enumName: 'FourEyes', example: 'off' })
  four_eyes: TenantSettings['four_eyes'];

  @ApiProperty({ example: true })
  monitoring: boolean;

  @ApiProperty({ type: 'integer', minimum: min, maximum: max, example: byDefault })
  retention_days: number;

  @ApiProperty({ example: false })
  trusted_actor: boolean;

  @ApiProperty({ example: false })
  publish_four_eyes: boolean;
}

/** What the compliance module keeps itself of the settings. */
export type OwnSettings = Omit<ComplianceSettings, 'retention_days'>;

const DEFAULTS: OwnSettings = { four_eyes: 'off', monitoring: true, trusted_actor: false, publish_four_eyes: false };

/** Settings with defaults for those that are left out. */
export const withDefaults = (body: Partial<OwnSettings>): OwnSettings => ({ ...DEFAULTS, ...body });

/** The module's own settings of the transaction's tenant. */
export async function settingsOf(tx: Tx, tenantId: string): Promise<OwnSettings> {
  const [row] = await tx.query<OwnSettings>(
    `select four_eyes, monitoring, trusted_actor, publish_four_eyes from compliance.tenant_settings where tenant_id = $1`,
    [tenantId],
  );
  return row ?? DEFAULTS;
}

/** All settings, with the tenant's retention. */
export async function shownSettings(tx: Tx, tenantId: string): Promise<ComplianceSettings> {
  const { compliance } = await retentionOf(tx, tenantId);
  const { four_eyes, monitoring, ...others } = await settingsOf(tx, tenantId);
  return { four_eyes, monitoring, retention_days: compliance.blocked_days, ...others };
}

export async function putSettings(
  tx: Tx,
  tenantId: string,
  { retention_days, ...body }: ComplianceSettingsBody,
): Promise<void> {
  const settings = withDefaults(body);
  await tx.query(
    `insert into compliance.tenant_settings (tenant_id, four_eyes, monitoring, trusted_actor, publish_four_eyes)
     values ($1, $2, $3, $4, $5)
     on conflict (tenant_id) do update
        set four_eyes = excluded.four_eyes, monitoring = excluded.monitoring, trusted_actor = excluded.trusted_actor,
            publish_four_eyes = excluded.publish_four_eyes, updated_at = now()`,
    [tenantId, settings.four_eyes, settings.monitoring, settings.trusted_actor, settings.publish_four_eyes],
  );
  if (retention_days === undefined) return;
  await tx.query('select platform_v1.put_compliance_retention($1, $2)', [tenantId, retention_days]);
}
