import { ChildLost, ChildNotStarted } from '@constancia/child-process';
import { KmsUnavailable } from '@constancia/kms';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { ObjectMissing, StorageUnavailable } from '@constancia/storage';

/** What is missing for good: another attempt would find the same. */
export class CannotWork extends Error {
  constructor(readonly reason: 'subject_erased' | 'picture_missing') {
    super(`the step cannot be worked on: ${reason}`);
    this.name = 'CannotWork';
  }
}

/** An engine says itself that it failed. */
export class EngineFailed extends Error {
  constructor(readonly reason: 'deadline' | 'engine_failure') {
    super(`the engine failed: ${reason}`);
    this.name = 'EngineFailed';
  }
}

/** Why an attempt failed: a stable word, and whether another attempt is of use. */
export interface Failure {
  reason: string;
  passing: boolean;
}

const CHILD_ENDS = { deadline: 'deadline', memory: 'out_of_memory', signal: 'engine_crash', exit: 'engine_crash' };

/** Nothing of the error itself is reported: messages of libraries may quote what they read. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof CannotWork) return { reason: error.reason, passing: false };
  if (error instanceof ObjectMissing) return { reason: 'picture_missing', passing: false };
  if (error instanceof ChildNotStarted) return { reason: 'engine_crash', passing: true };
  if (error instanceof ChildLost) return { reason: CHILD_ENDS[error.end], passing: true };
  if (error instanceof EngineFailed) return { reason: error.reason, passing: true };
  if (error instanceof KmsUnavailable) return { reason: 'key_service_unavailable', passing: true };
  if (error instanceof StorageUnavailable) return { reason: 'storage_unavailable', passing: true };
  if (error instanceof DatabaseUnavailableError) return { reason: 'database_unavailable', passing: true };
  return { reason: 'engine_failure', passing: true };
}
