import { MigrationConfig } from '@constancia/config';
import { BiometricsConfig } from '../../apps/biometrics-worker/src/config.ts';
import { ComplianceConfig } from '../../apps/compliance/src/config.ts';
import { PlatformConfig, PlatformMigrationConfig } from '../../apps/platform/src/config.ts';
import { SealingConfig } from '../../apps/sealing-worker/src/config.ts';
import { SigningConfig } from '../../apps/signing/src/config.ts';
import { DispatcherConfig } from '../../apps/webhook-dispatcher/src/config.ts';

/** Every process and what it is configured with: for the table of environment variables, and for what the manifests give them. */
export const CONFIGURED_APPS: { name: string; serves: new () => object; migrates?: new () => object }[] = [
  { name: 'platform', serves: PlatformConfig, migrates: PlatformMigrationConfig },
  { name: 'compliance', serves: ComplianceConfig, migrates: MigrationConfig },
  { name: 'signing', serves: SigningConfig, migrates: MigrationConfig },
  { name: 'sealing-worker', serves: SealingConfig },
  { name: 'biometrics-worker', serves: BiometricsConfig },
  { name: 'webhook-dispatcher', serves: DispatcherConfig },
];
