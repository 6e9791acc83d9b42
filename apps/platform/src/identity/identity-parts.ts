import type { Environment } from '@constancia/contracts';
import { CreditLedger, debitsCounter } from '@constancia/credit-ledger';
import { ExpiredIdempotencyKeys, type Idempotency } from '@constancia/idempotency';
import type { Database } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import type { Logger, Metrics } from '@constancia/telemetry';
import { Flows } from './flows/flows.ts';
import { CaseResolutions } from './reviews/case-resolutions.ts';
import { SessionOpening } from './sessions/open-session.ts';
import { SessionTokens } from './sessions/session-access.ts';
import type { ConsentRecords, SessionAssets, SessionSubjects } from './sessions/session-ports.ts';
import { SessionReviews } from './reviews/session-reviews.ts';
import { Sessions } from './sessions/sessions.ts';
import { AdvanceSession } from './steps/advance-session.ts';
import { ApplyOutcome } from './steps/apply-outcome.ts';
import { ComplianceRequests } from './steps/compliance-requests.ts';
import { ComplianceResults } from './steps/compliance-results.ts';
import { RunWaits } from './steps/run-waits.ts';
import { StepSweep } from './steps/step-sweep.ts';

export interface IdentityNeeds {
  config: { environment: Environment; baseUrl: string; stepWaitMs: number; stepDeadlineMs: number };
  /** Of the identity schema. */
  database: Database;
  /** Of the identity schema: answers are sealed with the subjects' keys. */
  idempotency: Idempotency;
  queues: Queues;
  logger: Logger;
  metrics: Metrics;
  subjects: SessionSubjects;
  assets: SessionAssets;
  consents: ConsentRecords;
}

/** What flows and sessions are made of; made once, in app.ts. */
export function flowPartsOf(needs: IdentityNeeds) {
  const { config, database, queues, logger, subjects, assets, consents, idempotency } = needs;
  const { environment, stepWaitMs, stepDeadlineMs } = config;
  const baseUrl = config.baseUrl.replace(/\/+$/, '');
  const ledger = new CreditLedger();
  const flows = new Flows(database);
  const sessions = new Sessions(database, subjects);
  const tokens = new SessionTokens(database);
  const opening = new SessionOpening({ database, subjects, idempotency, environment });
  const outcomes = new ApplyOutcome({
    ...{ database, subjects, ledger, idempotency, baseUrl },
    onDebit: debitsCounter(needs.metrics),
  });
  const waits = new RunWaits(database, outcomes);
  const compliance = new ComplianceRequests({ database, subjects, queues, logger });
  const cases = new CaseResolutions(database, subjects);
  const results = new ComplianceResults({ database, subjects, queues, cases });
  const reviews = new SessionReviews({ database, subjects, queues, logger });
  const advance = new AdvanceSession({
    ...{ database, subjects, assets, consents, idempotency, ledger, waits, compliance, queues },
    waitMs: stepWaitMs,
    deadlineMs: stepDeadlineMs,
  });
  const sweep = new StepSweep({ database, outcomes, sessions, logger });
  const expiredKeys = new ExpiredIdempotencyKeys(database, 'identity', logger);
  return {
    flows,
    sessions,
    tokens,
    opening,
    advance,
    compliance,
    reviews,
    background: [expiredKeys, waits, compliance, results, reviews, sweep],
  };
}

export type FlowParts = ReturnType<typeof flowPartsOf>;
