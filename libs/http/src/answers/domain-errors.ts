import type {
  BalanceBusyError,
  HoldSettledError,
  InsufficientCreditsError,
  LedgerEntryNotFoundError,
} from '@constancia/credit-ledger';
import type { AnswerErasedError, KeyReusedError, RequestStillRunningError } from '@constancia/idempotency';
import { DomainError } from '@constancia/kernel';
import type { DatabaseUnavailableError } from '@constancia/persistence';
import type { KeysUnavailableError } from '@constancia/personal-data';
import type { ArchiveKeyUnavailable } from '@constancia/storage';
import {
  Conflict,
  DatabaseTimeout,
  DatabaseUnavailable,
  DependencyUnavailable,
  InsufficientCredits,
  NotFound,
  Problem,
  StateConflict,
  UnprocessableEntity,
} from '@constancia/problem-json';

/** The errors of the kits that have an answer of their own. Types only: what an app does not use is not in its bundle. */
type KitError =
  | AnswerErasedError
  | ArchiveKeyUnavailable
  | BalanceBusyError
  | DatabaseUnavailableError
  | HoldSettledError
  | InsufficientCreditsError
  | KeyReusedError
  | KeysUnavailableError
  | LedgerEntryNotFoundError
  | RequestStillRunningError;

type ProblemTable = { [Code in KitError['code']]: (error: Extract<KitError, { code: Code }>) => Problem };

const RETRY_NOW = { 'Retry-After': '1' };

/** What the sender of the request gets for each domain error: slug and status, the sentence, members and headers. */
const PROBLEMS: ProblemTable = {
  answer_erased: () =>
    new StateConflict(
      'The answer to this Idempotency-Key was erased with the person whom it was about: send a new key.',
    ),
  archive_key_unavailable: ({ message }) => new DependencyUnavailable(message),
  balance_busy: ({ cause }) =>
    new DatabaseUnavailable('The balance is being worked on: try again.', {}, RETRY_NOW, cause),
  database_unavailable: ({ reason }) =>
    reason === 'too_slow'
      ? new DatabaseTimeout()
      : new DatabaseUnavailable('The store cannot be reached at present.', {}, RETRY_NOW),
  hold_settled: () => new StateConflict('The hold was settled already.'),
  idempotency_key_reused: ({ key }) =>
    new UnprocessableEntity(
      `Idempotency-Key ${key} was used for another request: send a new key, or the first request unchanged.`,
    ),
  insufficient_credits: ({ required }) =>
    new InsufficientCredits(`This costs ${required} credits and the balance is lower: top up, then send it again.`, {
      required,
    }),
  keys_unavailable: () => new DependencyUnavailable('The key service cannot be reached at present: try again.'),
  ledger_entry_not_found: () => new NotFound(),
  request_still_running: () =>
    new Conflict('A request with this Idempotency-Key is still running: try again after a second.'),
};

/** The problem that an error is at the edge; undefined for one whose details the caller may not see. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (!(error instanceof DomainError) || !Object.hasOwn(PROBLEMS, error.code)) return undefined;
  const problem = PROBLEMS[error.code as KitError['code']] as (error: DomainError) => Problem;
  return problem(error);
}
