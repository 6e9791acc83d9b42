/** What the processes answer (apps/platform/src/ops and the others'), as far as the command shows it. Times are ISO 8601 in UTC. */
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

export interface EndpointRow extends EndpointState {
  tenant_id: string;
  slug: string;
  module: string;
  event_types: string[];
  first_failure_at: string | null;
  due: number;
}
