import { withSecretsKey } from './mixins.ts';
import { MigrationConfig } from './stores-config.ts';

/** What the reseal command of an app is configured with: the new key first, every former one behind it. */
export class ResealConfig extends withSecretsKey(MigrationConfig) {}
