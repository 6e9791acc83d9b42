import { shape } from '@constancia/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DIFFERENCE_LIMITS } from './differences.ts';
import { ZIP_LIMITS } from './zip-entries.ts';

export const IMPORT_ACTIONS = ['create', 'update', 'unchanged', 'waiting', 'conflict'] as const;
export type ImportAction = (typeof IMPORT_ACTIONS)[number];

export const KNOWN_KEYS = ['this_deployment', 'listed', 'unknown'] as const;

const JSON_TEXT = { ...shape.text(DIFFERENCE_LIMITS.text), type: 'string', nullable: true } as const;

export class ConfigurationDifference {
  @ApiProperty({ ...shape.text(1000), example: '/steps/1/config/max_attempts' })
  pointer: string;

  @ApiProperty({ ...JSON_TEXT, description: 'As JSON; null: there is none.', example: '3' })
  before: string | null;

  @ApiProperty({ ...JSON_TEXT, example: '5' })
  after: string | null;
}

export class ConfigurationReferenceView {
  @ApiProperty({ ...shape.text(1000), example: '/steps/3/config/validation_code' })
  pointer: string;

  @ApiProperty({ ...shape.text(200), example: 'compliance/validations/default.json' })
  file: string;

  @ApiProperty({ description: 'false: it must be there before this object is used.' })
  in_archive: boolean;
}

export class ConfigurationChangeView {
  @ApiProperty({ ...shape.text(200), example: 'platform/flows/onboarding.default.json' })
  file: string;

  @ApiProperty({
    enum: IMPORT_ACTIONS,
    description:
      'conflict: it is left as it is. waiting: a second person has to publish it. The others: what was done, or will be after a dry run.',
  })
  action: ImportAction;

  @ApiProperty({ ...shape.text(500), type: 'string', nullable: true, description: 'Why, or what to do next.' })
  detail: string | null;

  @ApiProperty({ maxItems: DIFFERENCE_LIMITS.items, type: () => [ConfigurationDifference] })
  differences: ConfigurationDifference[];

  @ApiProperty({
    maxItems: 100,
    type: () => [ConfigurationReferenceView],
    description: 'Objects of other hosts that it names.',
  })
  references: ConfigurationReferenceView[];

  @ApiPropertyOptional({
    ...shape.text(100),
    description: 'Of an endpoint that was created: what signs its deliveries. Shown in this answer only.',
  })
  secret?: string;
}

export class ConfigurationSigner {
  @ApiProperty({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'Thumbprint of the key (RFC 7638).' })
  key_id: string;

  @ApiProperty({
    enum: KNOWN_KEYS,
    description:
      'listed: in CONFIGURATION_TRUSTED_KEYS. unknown: issuer, tenant and time are only what the holder of the key states.',
  })
  key: (typeof KNOWN_KEYS)[number];

  @ApiProperty({ ...shape.text(2048), description: 'The deployment, as it says.', example: 'https://api.example.com' })
  issuer: string;

  @ApiProperty({ ...shape.text(200), description: 'Slug of the tenant, as the deployment says.' })
  tenant: string;

  @ApiProperty({ format: 'date-time' })
  exported_at: string;
}

export class ConfigurationImportView {
  @ApiProperty({ description: 'true: nothing was changed.' })
  dry_run: boolean;

  @ApiProperty()
  signed_by: ConfigurationSigner;

  @ApiProperty({ maxItems: ZIP_LIMITS.entries, type: () => [ConfigurationChangeView] })
  changes: ConfigurationChangeView[];
}
