import type { HistoryName } from '@constancia/contracts/retention';
import type { TenantStanding } from '@constancia/contracts/tenant-standing';

/** What the processes answer operators (docs/api/ops.v1.yaml), as far as the command and the page show it. Times are ISO 8601 in UTC. */
export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
}

export interface DeliveryRow {
  id: string;
  tenant_id: string;
  slug: string;
  module: string;
  event_id: string;
  event_type: string;
  status: string;
  attempts: number;
  last_http_status: number | null;
  last_error: string | null;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  created_at: string;
}

export interface EndpointState {
  id: string;
  url: string;
  enabled: boolean;
  disabled_reason: string | null;
  paused_until: string | null;
  consecutive_failures: number;
}

export interface Attempt {
  number: number;
  at: string;
  duration_ms: number;
  http_status: number | null;
  error_code: string | null;
  error_detail: string | null;
  response_excerpt: string | null;
}

export interface DeliveryDetail extends DeliveryRow {
  endpoint: EndpointState | null;
  attempts_list: Attempt[];
  trace_id: string | null;
}

export interface EndpointRow extends EndpointState {
  tenant_id: string;
  slug: string;
  module: string;
  event_types: string[];
  first_failure_at: string | null;
  due: number;
}

export interface ReplayRunRow {
  id: string;
  status: 'running' | 'completed' | 'cancelled';
  dry_run: boolean;
  matched: number;
  replayed: number;
  skipped: number;
  /** A second; null: the dispatcher's own. */
  rate: number | null;
  max: number;
  filter: Record<string, unknown>;
  /** null: the tenant's own run. */
  operator: string | null;
  reason: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface QueueRow {
  queue: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  oldest_waiting_seconds: number | null;
}

export interface Lag {
  work: { module?: string | null; kind: string; open: number; oldest_seconds: number | null }[];
  /** This and `queues` are the platform's; other modules report their own work only. */
  outbox?: { due: number; oldest_due_seconds: number | null; delivering: number };
  queues?: QueueRow[];
}

export interface TenantRow {
  id: string;
  slug: string;
  display_name: string;
  plan: string;
  environment: string;
  available: number;
  held: number;
  created_at: string;
  standing: TenantStanding;
  /** Of any standing but `active`. */
  standing_since: string | null;
  closing: TenantClosingRow | null;
}

/** That an owner closes the tenant. Credits: at the end. */
export interface TenantClosingRow {
  requested_at: string;
  requested_by: string;
  reason: string | null;
  closes_at: string;
  closed_at: string | null;
  credits_left: number | null;
  credits_held: number | null;
}

export interface ApiKeyRow {
  prefix: string;
  status: string;
  created_at: string;
  expires_at: string | null;
}

export interface TenantDetail extends TenantRow {
  open_holds: number;
  keys: ApiKeyRow[];
  endpoints: EndpointRow[];
}

/** A grant, or the request for one that waits for a second operator. */
export type GrantAnswer =
  | { balance: { available: number; held: number }; repeated: boolean; pending?: undefined }
  | { pending: { id: string; expires_at: string }; balance?: undefined };

export interface PendingGrant {
  id: string;
  slug: string;
  credits: number;
  reference: string;
  reason: string;
  requested_by: string;
  expires_at: string;
}

export interface TopupRefund {
  id: string;
  slug: string;
  topup_id: string;
  payment_id: string;
  amount_cop: number;
  credits: number;
  status: string;
  reason: string;
  requested_by: string;
  expires_at: string;
}

/** A refund that the provider carried out. */
export interface SentRefund {
  refund: TopupRefund;
  topup_status: string;
  available: number;
}

/** The same, or one that waits for a second operator. */
export type RefundAnswer = (SentRefund & { pending?: undefined }) | { pending: TopupRefund; refund?: undefined };

export interface LedgerVerification {
  tenants: number;
  /** Those in the database; archived_entries are in files. */
  entries: number;
  archived_entries: number;
  drift_credits: number;
  faults: { tenant_id: string; slug: string | null; what: string; expected: string | null; found: string | null }[];
  open_holds: number;
  stale_holds: number;
}

/** A file of old history in the object store: rows `from` to `through`. */
export interface ArchivedFile {
  id: string;
  history: HistoryName;
  tenant_id: string;
  slug: string;
  from: number;
  through: number;
  first_at: string;
  last_at: string;
  bytes: number;
  sha256: string;
  head_after: string;
  object_key: string;
  key_fingerprint: string;
  archived_by: string;
  archived_at: string;
}

/** Whether a file is the one that was archived; `fault`: what of it is not. */
export interface ArchiveVerification {
  archive: ArchivedFile;
  valid: boolean;
  fault: string | null;
}

/** Something that an operator did. */
export interface OperatorAct {
  seq: number;
  at: string;
  type: string;
  operator: string;
  tenant_id: string | null;
  data: Record<string, unknown> | null;
  hash: string;
}

/** The newest act that a verification saw. */
export interface ChainHead {
  seq: number;
  hash: string;
}

export type ChainState =
  { valid: true; acts: number; head: ChainHead | null } | { valid: false; seq: number; fault: string };

export interface Lists {
  data: { list: string; version: string; entries: number; imported_at: string; published_at: string | null }[];
  missing: string[];
  stale: string[];
}

export interface OverdueCase {
  id: string;
  tenant_id: string;
  severity: string;
  status: string;
  due_at: string;
  hours_over: number;
  assignee: string | null;
}

export interface WaitingSeal {
  id: string;
  kind: string;
  tenant_id: string;
  status: string;
  attempts: number;
  last_setback: string | null;
  created_at: string;
  next_attempt_at: string | null;
}

export interface TimelineEntry {
  at: string;
  where: string;
  what: string;
  detail?: string | null;
}

/** How a thing came to be, as the module that has it knows. */
export interface Story {
  id: string;
  kind: string;
  tenant_id: string;
  status?: string;
  /** Of a subject: its newest. */
  sessions?: { id: string }[];
  timeline: TimelineEntry[];
}

export interface EventRow {
  event_id: string;
  module: string;
  event_type: string;
  occurred_at: string;
}

export interface EventTrace {
  event: EventRow & {
    tenant_id: string;
    slug: string;
    trace_id: string | null;
    about: { type: string; id: string } | null;
  };
  ledger: { at: string; kind: string; amount: number; ref: string }[];
  deliveries: { id: string; attempts_list: Attempt[] }[];
  timeline: TimelineEntry[];
}
