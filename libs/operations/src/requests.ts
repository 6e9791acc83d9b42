import { type HistoryName, HISTORY_PROCESSES } from '@constancia/contracts/retention';
import type { ProcessName } from './processes.ts';
import type {
  ArchivedFile,
  ArchiveVerification,
  ChainHead,
  ChainState,
  DeliveryDetail,
  DeliveryRow,
  EndpointRow,
  EventRow,
  EventTrace,
  GrantAnswer,
  Lag,
  LedgerVerification,
  Lists,
  OperatorAct,
  OverdueCase,
  Page,
  PendingGrant,
  RefundAnswer,
  SentRefund,
  ReplayRunRow,
  Story,
  TenantDetail,
  TenantRow,
  TopupRefund,
  WaitingSeal,
} from './rows.ts';
import type { ReplayOrder } from './replay-order.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to the ops port of a process, and what it answers. */
export interface OpsRequest<Answer> {
  process: ProcessName;
  method: 'GET' | 'POST';
  path: string;
  query?: Query | undefined;
  body?: object | undefined;
  /** Never there: it carries the type of the answer. */
  answer?: Answer;
}

/** Why something is done, for the audit log. */
/** Without an amount: everything that is left of the payment. */
export interface RefundOrder extends Reason {
  amount_cop?: number;
  payment_id?: string;
  reference?: string;
}

export interface Reason {
  reason: string;
}

/** `message`: what the mail to the owners says. */
export interface OwnersMessage extends Reason {
  message?: string | undefined;
}

export interface PageQuery {
  limit?: number;
  cursor?: string | undefined;
}

type Filter = PageQuery & Query;

const get = <Answer>(path: string, query?: Query, process: ProcessName = 'platform'): OpsRequest<Answer> => ({
  process,
  method: 'GET',
  path,
  query,
});
const post = <Answer>(path: string, body: object, process: ProcessName = 'platform'): OpsRequest<Answer> => ({
  process,
  method: 'POST',
  path,
  body,
});
/** A path with an id in it, whatever was typed as the id. */
const at = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values.map(encodeURIComponent));

/** All that operators ask for. */
export const operations = {
  lag: () => get<Lag>('/ops/lag'),
  wakeDeliveries: (body: Reason) => post<{ hinted: number }>('/ops/outbox/kick', body),
  deliveries: (query: Filter) => get<Page<DeliveryRow>>('/ops/deliveries', query),
  delivery: (id: string) => get<DeliveryDetail>(at`/ops/deliveries/${id}`),
  replayDelivery: (id: string, body: Reason) => post<DeliveryRow>(at`/ops/deliveries/${id}/replay`, body),
  replays: (query: Filter) => get<Page<ReplayRunRow>>('/ops/replays', query),
  replay: (id: string) => get<ReplayRunRow>(at`/ops/replays/${id}`),
  orderReplay: (body: ReplayOrder & { dry_run: boolean }) => post<ReplayRunRow>('/ops/replays', body),
  cancelReplay: (id: string, body: Reason) => post<ReplayRunRow>(at`/ops/replays/${id}/cancel`, body),
  resumeReplay: (id: string, body: Reason) => post<ReplayRunRow>(at`/ops/replays/${id}/resume`, body),
  endpoints: (query: Filter) => get<Page<EndpointRow>>('/ops/endpoints', query),
  pauseEndpoint: (id: string, body: Reason & { minutes: number }) =>
    post<EndpointRow>(at`/ops/endpoints/${id}/pause`, body),
  resumeEndpoint: (id: string, body: Reason) => post<EndpointRow>(at`/ops/endpoints/${id}/resume`, body),
  tenants: (query: Filter) => get<Page<TenantRow>>('/ops/tenants', query),
  tenant: (name: string) => get<TenantDetail>(at`/ops/tenants/${name}`),
  createTenant: (body: object) => post<object>('/ops/tenants', body),
  suspendTenant: (name: string, body: OwnersMessage) => post<TenantRow>(at`/ops/tenants/${name}/suspend`, body),
  resumeTenant: (name: string, body: OwnersMessage) => post<TenantRow>(at`/ops/tenants/${name}/resume`, body),
  grantCredits: (tenant: string, body: Reason & { credits: number; reference: string }) =>
    post<GrantAnswer>(at`/ops/tenants/${tenant}/grants`, body),
  grants: (query: Filter) => get<Page<PendingGrant>>('/ops/grants', query),
  approveGrant: (id: string, body: Reason) =>
    post<{ balance: { available: number } }>(at`/ops/grants/${id}/approve`, body),
  withdrawGrant: (id: string, body: Reason) => post<PendingGrant>(at`/ops/grants/${id}/withdraw`, body),
  refundTopup: (id: string, body: RefundOrder) => post<RefundAnswer>(at`/ops/topups/${id}/refund`, body),
  topupRefunds: (query: Filter) => get<Page<TopupRefund>>('/ops/topup-refunds', query),
  approveRefund: (id: string, body: Reason) => post<SentRefund>(at`/ops/topup-refunds/${id}/approve`, body),
  withdrawRefund: (id: string, body: Reason) => post<TopupRefund>(at`/ops/topup-refunds/${id}/withdraw`, body),
  verifyLedger: (query: { tenant?: string | undefined }) => get<LedgerVerification>('/ops/ledger/verify', query),
  archiveNext: (of: HistoryName, body: Reason & { tenant?: string | undefined }) =>
    post<{ archived: ArchivedFile | null }>(at`/ops/archives/${of}/run`, body, HISTORY_PROCESSES[of]),
  archives: (of: HistoryName, query: Filter) =>
    get<Page<ArchivedFile>>(at`/ops/archives/${of}`, query, HISTORY_PROCESSES[of]),
  verifyArchive: (of: HistoryName, id: string) =>
    get<ArchiveVerification>(at`/ops/archives/${of}/${id}/verify`, undefined, HISTORY_PROCESSES[of]),
  archivedRows: (of: HistoryName, id: string, query: Filter) =>
    get<Page<object>>(at`/ops/archives/${of}/${id}/rows`, query, HISTORY_PROCESSES[of]),
  acts: (query: Filter) => get<Page<OperatorAct>>('/ops/audit', query),
  verifyActs: (head?: ChainHead) => get<ChainState>('/ops/audit/verify', head && { seq: head.seq, hash: head.hash }),
  lists: () => get<Lists>('/ops/lists', undefined, 'compliance'),
  overdueCases: (query: Filter) => get<Page<OverdueCase>>('/ops/cases/overdue', query, 'compliance'),
  seals: (query: Filter) => get<Page<WaitingSeal>>('/ops/seals', query, 'signing'),
  trace: (eventId: string) => get<EventTrace>(at`/ops/trace/${eventId}`),
  events: (query: Query) => get<{ data: EventRow[] }>('/ops/events', query),
  story: (process: ProcessName, id: string) => get<Story>(at`/ops/story/${id}`, undefined, process),
};
