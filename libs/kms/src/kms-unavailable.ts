/** Why KMS did not do it. */
export type KmsFailure = 'throttled' | 'unreachable' | 'server-error' | 'timeout' | 'key-unusable' | 'refused';

/**
 * KMS did not do what it was asked. `retryable`: the same call may succeed in a while (throttling, 5xx, network, timeout);
 * otherwise somebody must mend the key or its permissions first. The request can wait for either.
 */
export class KmsUnavailable extends Error {
  constructor(
    readonly reason: KmsFailure,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(`KMS is of no use: ${reason} (${detail})`, options);
    this.name = 'KmsUnavailable';
  }

  get retryable(): boolean {
    return this.reason !== 'key-unusable' && this.reason !== 'refused';
  }
}

const BY_NAME: Record<string, KmsFailure> = {
  ThrottlingException: 'throttled',
  LimitExceededException: 'throttled',
  RequestLimitExceeded: 'throttled',
  TooManyRequestsException: 'throttled',
  KMSInternalException: 'server-error',
  DependencyTimeoutException: 'server-error',
  KeyUnavailableException: 'server-error',
  TimeoutError: 'timeout',
  AbortError: 'timeout',
  NotFoundException: 'key-unusable',
  DisabledException: 'key-unusable',
  InvalidKeyUsageException: 'key-unusable',
  KMSInvalidStateException: 'key-unusable',
  InvalidArnException: 'key-unusable',
  AccessDeniedException: 'refused',
  UnrecognizedClientException: 'refused',
  InvalidSignatureException: 'refused',
  ExpiredTokenException: 'refused',
  CredentialsProviderError: 'refused',
};

/** What an error of the SDK means. Errors that never reached KMS are `unreachable`. */
export function kmsUnavailable(error: unknown): KmsUnavailable {
  if (error instanceof KmsUnavailable) return error;
  const {
    name = 'unknown',
    code,
    $metadata,
  } = error as {
    name?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean };
  };
  // The SDK has learnt from the answer what time it is there: the next attempt is signed with the right one.
  if ($metadata?.clockSkewCorrected) return new KmsUnavailable('server-error', 'clocks differ', { cause: error });
  // The SDK's connections name these TimeoutError.
  if (code === 'ECONNRESET' || code === 'EPIPE') return new KmsUnavailable('unreachable', code, { cause: error });
  const status = $metadata?.httpStatusCode;
  const reason = BY_NAME[name] ?? byStatus(status);
  return new KmsUnavailable(reason, code ?? name, { cause: error });
}

function byStatus(status: number | undefined): KmsFailure {
  if (status === undefined) return 'unreachable';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'server-error' : 'refused';
}
