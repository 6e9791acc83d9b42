import type { Actor } from '@constancia/contracts';
import { type EventRecord, emitEvent } from '@constancia/events';
import { ifMatches, pathUuid } from '@constancia/http';
import { Database, isUniqueViolation, sqlState, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { Conflict, NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { allowedActions, type CaseAction, type CaseTransition, transitionOf } from '../case-records/case-states.ts';
import { appendEvents, type NewCaseEvent } from '../case-records/case-timeline.ts';
import { TimelineArchives } from './archive/timeline-archives.ts';
import { type CaseFile, filesOf } from './case-files.ts';
import { type CaseNotification, notifyMembers } from './case-notification.ts';
import {
  type CaseSealing,
  type CaseSecrets,
  keyOf,
  openCase,
  sealCase,
  type StoredCase,
  WRAPPED_KEY,
} from '../case-records/case-secrets.ts';
import type { CaseColumns, ReviewCase } from '../case-records/review-case.entity.ts';

/** Who wants to do what with which case. */
export interface CaseRequest {
  tenantId: string;
  /** TypeID, as in the path. */
  caseId: string;
  action: CaseAction;
  actor: string;
  /** The principal behind `actor`; unknown for requests that a process of the former release passed on. */
  by: Actor | undefined;
  /** The header If-Match. */
  ifMatch: string | undefined;
}

/** What an action does: nothing of it, or all of it, is committed. */
export interface CaseChange {
  columns: CaseColumns;
  events: NewCaseEvent[];
  emitted?: EventRecord[];
  notification?: CaseNotification;
}

/** A case whose row is locked. `sealing` null: what is written of it stays in the clear. */
export interface LockedCase extends ReviewCase {
  /** Nothing of the row is sealed yet. */
  isClear: boolean;
  sealing: CaseSealing | null;
}

/** Decides what an action does to a case whose row is locked. Null: nothing to do. */
export type DecideChange = (found: LockedCase, transition: CaseTransition, tx: Tx) => Promise<CaseChange | null>;

/** Jsonb columns, which the driver would take for arrays or texts. */
const JSON_COLUMNS = new Set(['subject', 'hits', 'proposal', 'ros_draft']);
const SECRETS = [
  'subject',
  'hits',
  'proposal',
  'decision_reason',
  'escalation_reason',
  'ros_draft',
] as const satisfies (keyof CaseSecrets)[];

/** The cases of every tenant: how one is found, and how one is changed. */
@Injectable()
export class Cases {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly archives: TimelineArchives,
  ) {}

  /** One case by its TypeID. Throws NotFound, for another tenant's too. */
  async find(tenantId: string, caseId: string): Promise<ReviewCase> {
    const keyring = await this.personal.tenant(tenantId);
    return this.database.tenant(tenantId, async (tx) => openCase(keyring, await rowOf(tx, tenantId, caseId)));
  }

  /** One case with its timeline, and what `read` finds of it, all of one moment. */
  async inspect<T>(
    tenantId: string,
    caseId: string,
    read: (tx: Tx, keyring: TenantKeyring, file: CaseFile) => Promise<T>,
  ): Promise<T> {
    const keyring = await this.personal.tenant(tenantId);
    return this.database.snapshot(tenantId, async (tx) => {
      return read(tx, keyring, await this.file(tx, keyring, await rowOf(tx, tenantId, caseId)));
    });
  }

  /**
   * Carries out an action: locks the row, so that of two people one finds what the other did; refuses a stale If-Match and what
   * the state does not allow (StateConflict with `allowed_actions`); commits columns, timeline and events together. Throws Conflict
   * when another request holds the case for longer than 2 s.
   */
  async change(request: CaseRequest, decide: DecideChange): Promise<CaseFile> {
    const { tenantId, caseId } = request;
    const keyring = await this.personal.tenant(tenantId);
    return this.database.tenant(tenantId, async (tx) => {
      const stored = await lockedRowOf(tx, tenantId, caseId);
      const found = await this.locked(tx, keyring, stored);
      const transition = permitted(found, request);
      const change = await decide(found, transition, tx);
      if (change === null) return this.file(tx, keyring, stored);
      await update(tx, found, change.columns);
      const events = change.events.map((event) => withPrincipal(event, request));
      await appendEvents(tx, { tenantId, caseId: found.id, key: found.sealing?.key ?? null }, events);
      for (const event of change.emitted ?? []) await emitEvent(tx, event);
      if (change.notification) await notifyMembers(tx, found, change.notification, request);
      return this.file(tx, keyring, await rowOf(tx, tenantId, caseId));
    });
  }

  /** With its timeline, as the transaction sees both. Throws DependencyUnavailable when the timeline is in a file that cannot be read. */
  async file(tx: Tx, keyring: TenantKeyring, stored: StoredCase): Promise<CaseFile> {
    const reading = { archives: this.archives, isRead: true };
    const [file] = await filesOf(tx, keyring, stored.tenant_id, [stored], reading);
    return file as CaseFile;
  }

  /** One that the release before wrote is sealed with its next change, once no copy of that release runs. */
  private async locked(tx: Tx, keyring: TenantKeyring, stored: StoredCase): Promise<LockedCase> {
    const known = keyOf(keyring, stored);
    const key =
      known === null && (await this.personal.isSealed(tx))
        ? await this.personal.ofRef(tx, keyring, stored.tenant_id, stored.subject_ref)
        : known;
    return { ...openCase(keyring, stored), isClear: known === null, sealing: key && { key, keyring } };
  }
}

/** An event of who acts, with the principal in its data. */
function withPrincipal(event: NewCaseEvent, { actor, by }: CaseRequest): NewCaseEvent {
  return by === undefined || event.actor !== actor ? event : { ...event, data: { ...event.data, by } };
}

async function lockedRowOf(tx: Tx, tenantId: string, caseId: string): Promise<StoredCase> {
  await tx.query(`set local lock_timeout = '2s'`);
  try {
    const row = await rowOf(tx, tenantId, caseId, 'for update of c');
    await tx.query('set local lock_timeout to default'); // what follows waits as long as any other transaction
    return row;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    throw new Conflict('Another request is working on this case: send this one again after Retry-After seconds.');
  }
}

/** The ETag of a case as it stands. */
export function etagOf(found: Pick<ReviewCase, 'version'>): string {
  return `"v${found.version}"`;
}

/** 409 with what the state allows. */
export function refusal(found: ReviewCase, detail: string): StateConflict {
  return new StateConflict(detail, { status_of_case: found.status, allowed_actions: allowedActions(found.status) });
}

/** Throws what an action is refused with: a stale If-Match, or a state that does not allow it. */
export function permitted(found: ReviewCase, { action, ifMatch }: CaseRequest): CaseTransition {
  if (!ifMatches(ifMatch, etagOf(found))) {
    throw refusal(found, 'Somebody changed the case since the version in If-Match: read it again.');
  }
  const transition = transitionOf(found.status, action);
  if (transition) return transition;
  const allowed = allowedActions(found.status).join(', ');
  throw refusal(found, `A case that is ${found.status} does not take ${action}; it takes ${allowed}.`);
}

async function rowOf(tx: Tx, tenantId: string, caseId: string, lock = ''): Promise<StoredCase> {
  const [row] = await tx.query<StoredCase>(
    `select c.*, ${WRAPPED_KEY} from compliance.review_case c where c.tenant_id = $1 and c.id = $2 ${lock}`,
    [tenantId, pathUuid('cas', caseId)],
  );
  if (!row) throw new NotFound();
  return row;
}

/** The columns to write: everything that is sealed of a case is sealed again when a part of it changes. */
function writtenColumns(found: LockedCase, columns: CaseColumns): Record<string, unknown> {
  if (!found.sealing || !(found.isClear || SECRETS.some((name) => name in columns))) return { ...columns };
  const { subject, hits, proposal, decision_reason, escalation_reason, ros_draft } = { ...found, ...columns };
  const secrets: CaseSecrets = { subject, hits, proposal, decision_reason, escalation_reason, ros_draft };
  return { ...columns, ...sealCase(found.sealing.key, found.id, secrets) };
}

async function update(tx: Tx, found: LockedCase, changed: CaseColumns): Promise<void> {
  const columns = writtenColumns(found, changed);
  const names = Object.keys(columns);
  if (names.length === 0) return;
  const values = Object.entries(columns).map(([name, value]) =>
    JSON_COLUMNS.has(name) && value !== null ? JSON.stringify(value) : value,
  );
  const set = names.map((name, at) => `${name} = $${at + 2}`).join(', ');
  try {
    await tx.query(`update compliance.review_case set ${set} where id = $1`, [found.id, ...values]);
  } catch (error) {
    if (!isUniqueViolation(error, 'review_case_one_open')) throw error;
    throw refusal(found, 'The subject has another open case of this validation: work on that one.');
  }
}
