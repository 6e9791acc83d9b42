import { KmsUnavailable } from '@constancia/kms';
import { DependencyUnavailable } from '@constancia/problem-json';

/** Rethrows that KMS is unavailable as DependencyUnavailable, and everything else as it is. */
export function keyServiceUnavailable(error: unknown): never {
  if (!(error instanceof KmsUnavailable)) throw error;
  throw new DependencyUnavailable(
    'The key service cannot be reached at present: try again.',
    {},
    { 'Retry-After': '5' },
  );
}
