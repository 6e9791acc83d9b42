import { DomainError } from '@constancia/kernel';

/** The Idempotency-Key belongs to another request. */
export class KeyReusedError extends DomainError {
  readonly code = 'idempotency_key_reused';

  constructor(readonly key: string) {
    super('the Idempotency-Key was used for another request');
  }
}

/** Another request with this key is in progress. */
export class RequestStillRunningError extends DomainError {
  readonly code = 'request_still_running';

  constructor() {
    super('a request with this Idempotency-Key is still running');
  }
}

/** The answer was about a person who has been erased since. */
export class AnswerErasedError extends DomainError {
  readonly code = 'answer_erased';

  constructor() {
    super('the answer to this Idempotency-Key was erased');
  }
}
