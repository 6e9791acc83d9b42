import { DomainError } from '@constancia/kernel';

/** The balance does not cover the operation. */
export class InsufficientCreditsError extends DomainError {
  readonly code = 'insufficient_credits';

  /** @param required credits */
  constructor(readonly required: number | undefined) {
    super(`the balance does not cover ${required} credits`);
  }
}

/** The tenant has no account, or the hold does not exist. */
export class LedgerEntryNotFoundError extends DomainError {
  readonly code = 'ledger_entry_not_found';

  constructor() {
    super('the ledger has no such account, debit or hold');
  }
}

/** The hold was captured or released before. */
export class HoldSettledError extends DomainError {
  readonly code = 'hold_settled';

  constructor() {
    super('the hold was settled already');
  }
}

/** Others have kept the tenant's balance locked for longer than anyone waits. */
export class BalanceBusyError extends DomainError {
  readonly code = 'balance_busy';

  constructor(cause: unknown) {
    super('the balance is locked', cause);
  }
}
