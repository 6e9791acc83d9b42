import { type Retention, RETENTION_PERIODS, type RetentionPeriod } from '@constancia/contracts';
import { ApiOptional } from '@constancia/http';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsObject, Max, Min, ValidateIf, ValidateNested } from 'class-validator';

const { identity, compliance, signing } = RETENTION_PERIODS;

const DESCRIPTIONS = {
  image_days: 'Pictures of subjects, from their upload.',
  session_days: 'The answers of a session, from its end.',
  legal_hold_days:
    'Document and name of a subject that is erased, from the decision on it, when the law obliges you to keep them. 0: never.',
  blocked_days:
    'Screenings and cases of an erased person, blocked, from the end of the relationship. SARLAFT: five calendar years at least, whatever ' +
    'the number of their days.',
  unsealed_envelope_days:
    'Signers and words of an envelope that ended without a seal (declined, voided, expired, failed), from its end. null: without end. ' +
    'Sealed documents are evidence of their parties: no period ends them.',
} as const;

/** A period without end by default may be set to null. */
const nullable = ({ default: byDefault }: RetentionPeriod) =>
  byDefault === null && ({ type: 'integer', nullable: true } as const);

/** A period of the request: days within its bounds. */
function Days(name: keyof typeof DESCRIPTIONS, period: RetentionPeriod): PropertyDecorator {
  const { min, max, default: byDefault } = period;
  const least =
    name === 'blocked_days' ? 'SARLAFT obliges you to keep these records for five years: at least' : 'must be at least';
  return applyDecorators(
    ApiOptional({
      ...nullable(period),
      default: byDefault,
      description: DESCRIPTIONS[name],
      example: byDefault ?? 365,
    }),
    ...(byDefault === null ? [ValidateIf((_, value) => value !== null)] : []),
    IsInt(),
    Min(min, { message: `${least} ${min}` }),
    Max(max),
  );
}

/** A period of the answer. */
function ShownDays(name: keyof typeof DESCRIPTIONS, period: RetentionPeriod): PropertyDecorator {
  const { min, max, default: byDefault } = period;
  return ApiProperty({
    ...nullable(period),
    ...{ type: 'integer', minimum: min, maximum: max, description: DESCRIPTIONS[name], example: byDefault ?? 365 },
  });
}

export class IdentityRetentionBody {
  @Days('image_days', identity.image_days)
  image_days?: number;

  @Days('session_days', identity.session_days)
  session_days?: number;

  @Days('legal_hold_days', identity.legal_hold_days)
  legal_hold_days?: number;
}

export class ComplianceRetentionBody {
  @Days('blocked_days', compliance.blocked_days)
  blocked_days?: number;
}

export class SigningRetentionBody {
  @Days('unsealed_envelope_days', signing.unsealed_envelope_days)
  unsealed_envelope_days?: number | null;
}

/** What PUT takes: all periods; what is left out gets its default. */
export class RetentionBody {
  @ApiOptional({ type: IdentityRetentionBody })
  @IsObject()
  @ValidateNested()
  @Type(() => IdentityRetentionBody)
  identity?: IdentityRetentionBody;

  @ApiOptional({ type: ComplianceRetentionBody })
  @IsObject()
  @ValidateNested()
  @Type(() => ComplianceRetentionBody)
  compliance?: ComplianceRetentionBody;

  @ApiOptional({ type: SigningRetentionBody })
  @IsObject()
  @ValidateNested()
  @Type(() => SigningRetentionBody)
  signing?: SigningRetentionBody;
}

export class IdentityRetentionView {
  @ShownDays('image_days', identity.image_days)
  image_days: number;

  @ShownDays('session_days', identity.session_days)
  session_days: number;

  @ShownDays('legal_hold_days', identity.legal_hold_days)
  legal_hold_days: number;
}

export class ComplianceRetentionView {
  @ShownDays('blocked_days', compliance.blocked_days)
  blocked_days: number;
}

export class SigningRetentionView {
  @ShownDays('unsealed_envelope_days', signing.unsealed_envelope_days)
  unsealed_envelope_days: number | null;
}

/** How long each module keeps data of the tenant, in days. */
export class RetentionView implements Retention {
  @ApiProperty()
  identity: IdentityRetentionView;

  @ApiProperty()
  compliance: ComplianceRetentionView;

  @ApiProperty()
  signing: SigningRetentionView;
}
