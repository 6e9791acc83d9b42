import { ValidateBy } from 'class-validator';
import type { ProcessConfig } from './process-config.ts';

/** What only a development or test deployment may be configured with. */
export function NotInProduction(): PropertyDecorator {
  return ValidateBy({
    name: 'notInProduction',
    validator: {
      validate: (_, args) => (args?.object as ProcessConfig).environment !== 'production',
      defaultMessage: () => 'must be left out in production',
    },
  });
}
