import type { EventRecord } from '@constancia/events';
import type { Additions } from '@constancia/pdf-sealing';
import type { Leased } from '@constancia/queue';
import type { PublishedKey } from './published-key.ts';
import type { FailureCause } from './failure-decision.ts';

/** What is sealed: one person's document from a template, or an envelope that all its signers have signed. */
export type SealingKind = 'signature' | 'envelope';

/** What a sealed document is, and how it is proved. */
export interface Seal {
  sha256: Buffer;
  key: string;
  size: number;
  kmsKeyArn: string;
  signature: Buffer;
  algorithm: string;
  signedAt: Date;
  /** PAdES baseline level of the file as it is sealed. */
  level: 'B-B' | 'B-T';
}

/** Why something will never be sealed. */
export interface Failure {
  code: string;
  reason: string;
  refund: boolean;
}

/** The columns with which a claim describes a piece of work; those of both kinds are called the same. */
export interface ClaimedRow extends Leased {
  /** UUID. */
  id: string;
  tenant_id: string;
  external_ref: string | null;
  metadata: Record<string, string>;
  credits_debited: number;
  /** This one included. */
  attempts: number;
  /** Those of the earlier attempts that an internal fault ended. */
  faults: number;
  /** Workers that died over it, or lost its lease. */
  strandings: number;
  /** The last attempt was such a one. */
  stranded: boolean;
  traceparent: string | null;
}

/**
 * A document that this process seals now. complete, fail and defer write what came of it, with the event if there is one; when the
 * lease was lost meanwhile they write nothing and answer undefined or false: then another run's result counts.
 */
export interface SealingWork extends ClaimedRow {
  kind: SealingKind;
  /** The id as the API shows it; also the name of the signature field. */
  name: string;
  /** Since when it waits for its seal. */
  since: Date;
  /** Age at which it fails when something is unavailable for so long; Infinity: never. */
  giveUpSeconds: number;
  /** Whether all that is drawn was drawn before, part by part: then too much work may be the machine's fault. */
  drawnBefore: boolean;
  /** The PDF that is drawn on. sha256 is null when there is none, which nothing can bring about. */
  base: { sha256: Buffer | null; key: string; bytes: number };
  /** What is drawn on it and appended. Throws what decideFailure understands. */
  additions(base: Buffer, key: PublishedKey): Promise<Additions>;
  complete(seal: Seal): Promise<EventRecord | undefined>;
  fail(failure: Failure): Promise<EventRecord | undefined>;
  defer(delayMs: number, cause: FailureCause): Promise<boolean>;
}

/** Where work of one kind comes from. */
export interface SealingSource {
  kind: SealingKind;
  /** Leases work that is due, the longest due first. */
  claim(limit: number): Promise<SealingWork[]>;
  /** Prolongs the leases that are still held. */
  extend(works: readonly SealingWork[]): Promise<unknown>;
  backlog(): Promise<Backlog>;
}

/** Work that waits, and for how long the oldest has. */
export interface Backlog {
  waiting: number;
  oldestSeconds: number;
}
