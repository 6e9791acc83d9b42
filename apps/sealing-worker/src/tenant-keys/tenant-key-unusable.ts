import type { KmsUnavailable } from '@constancia/kms';

export type TenantKeyProblem = 'certificate_expired' | 'key_unusable' | 'key_refused';

/** The key that a tenant set cannot be used. No other key takes its place: the tenant's documents wait. */
export class TenantKeyUnusable extends Error {
  constructor(
    readonly problem: TenantKeyProblem,
    options?: ErrorOptions,
  ) {
    super(`the key of the tenant cannot be used: ${problem}`, options);
    this.name = 'TenantKeyUnusable';
  }
}

/** What is wrong with a key that KMS does not sign with, when asking again is of no use. */
export const keyProblem = ({ reason }: KmsUnavailable) => (reason === 'refused' ? 'key_refused' : 'key_unusable');
