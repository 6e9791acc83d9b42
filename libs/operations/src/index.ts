export { actText, valueText } from './act-data.ts';
export { ENDPOINT_HEALTHS, endpointHealth, isPaused } from './endpoint-health.ts';
export {
  attemptErrorText,
  explainDelivery,
  type Explanation,
  explainNoDelivery,
  type Step,
} from './explain-delivery.ts';
export { HISTORIES, type HistoryName } from '@constancia/contracts/retention';
export type { Locale } from './explain-texts.ts';
export { processBesidePlatform, processOfStory, PROCESSES, type ProcessName } from './processes.ts';
export { filterText, type ReplayOrder, replayOrder, saysWhose } from './replay-order.ts';
export { operations, type OpsRequest, type Query, type Reason } from './requests.ts';
export type {
  ApiKeyRow,
  ArchivedFile,
  ArchiveVerification,
  Attempt,
  ChainHead,
  ChainState,
  DeliveryDetail,
  DeliveryRow,
  EndpointRow,
  EventRow,
  EventTrace,
  Lag,
  LedgerVerification,
  Lists,
  OperatorAct,
  OverdueCase,
  Page,
  PendingGrant,
  QueueRow,
  RefundAnswer,
  SentRefund,
  ReplayRunRow,
  Story,
  TenantRow,
  TopupRefund,
  TimelineEntry,
  WaitingSeal,
} from './rows.ts';
export { duration, instantBefore } from './times.ts';
