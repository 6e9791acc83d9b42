import { BalanceBusyError, InsufficientCreditsError } from '@constancia/credit-ledger';
import { KeyReusedError, RequestStillRunningError } from '@constancia/idempotency';
import { DomainError } from '@constancia/kernel';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { KeysUnavailableError } from '@constancia/personal-data';
import { ArchiveKeyUnavailable } from '@constancia/storage';
import { describe, expect, it } from 'vitest';
import { problemOf } from './domain-errors.ts';

class Planted extends DomainError {
  constructor(readonly code: string) {
    super('planted');
  }
}

describe('a domain error', () => {
  it.each([
    [
      new InsufficientCreditsError(40),
      { slug: 'insufficient-acai', status: 402, members: { required: 40 }, headers: {} },
    ],
    [new KeyReusedError('k'), { slug: 'unprocessable-entity', status: 422, headers: {} }],
    [new RequestStillRunningError(), { slug: 'conflict', status: 409, headers: { 'Retry-After': '1' } }],
    [new DatabaseUnavailableError(), { slug: 'database-unavailable', status: 503, headers: { 'Retry-After': '1' } }],
    [
      new DatabaseUnavailableError('too_slow'),
      { slug: 'database-timeout', status: 503, headers: { 'Retry-After': '30' } },
    ],
    [new BalanceBusyError('why'), { slug: 'database-unavailable', status: 503, cause: 'why' }],
    [new ArchiveKeyUnavailable('set it'), { slug: 'dependency-unavailable', status: 503, detail: 'set it' }],
    [new KeysUnavailableError(), { slug: 'dependency-unavailable', status: 503, headers: { 'Retry-After': '5' } }],
  ])('%s is answered as its meaning asks', (error, problem) => {
    expect(problemOf(error)).toMatchObject(problem);
  });

  it('without an entry, and any other error, gives the caller nothing', () => {
    expect(problemOf(new Planted('unknown'))).toBeUndefined();
    expect(problemOf(new Planted('toString'))).toBeUndefined();
    expect(problemOf(new Error('secret'))).toBeUndefined();
  });
});
