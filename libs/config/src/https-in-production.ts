import { ValidateBy } from 'class-validator';
import type { ProcessConfig } from './process-config.ts';

/** Addresses that are given to others must be reachable and safe: in production they begin with https://. */
export function HttpsInProduction(): PropertyDecorator {
  return ValidateBy({
    name: 'httpsInProduction',
    validator: {
      validate: (value, args) =>
        (args?.object as ProcessConfig).environment !== 'production' || String(value).startsWith('https://'),
      defaultMessage: () => 'must be the public https:// address in production',
    },
  });
}
