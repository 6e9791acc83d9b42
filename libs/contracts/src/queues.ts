/**
 * Every queue and the one app that consumes it. Messages are hints: versioned, ids only, free to be lost. A start-up check
 * refuses a consumer that is not named here, and a test that a queue has none or two.
 */
export const QUEUES = {
  sealing: { consumer: 'sealing-worker' },
  'webhook-delivery': { consumer: 'webhook-dispatcher' },
  'webhook-replay': { consumer: 'webhook-dispatcher' },
  rescreening: { consumer: 'compliance' },
} as const satisfies Record<string, { consumer: string }>;

export type QueueName = keyof typeof QUEUES;

/** A signature request (or, later, an envelope) is waiting to be sealed. */
export interface SealingHint {
  v: 1;
  request_id: string;
}

/** An endpoint has deliveries that are due. */
export interface DeliveryHint {
  v: 1;
  endpoint_id: string;
}

/** A replay run has work left. */
export interface ReplayHint {
  v: 1;
  run_id: string;
}

/** A list became active: subjects may have to be screened again. */
export interface RescreeningHint {
  v: 1;
}

/** What each queue carries. */
export interface QueueMessages {
  sealing: SealingHint;
  'webhook-delivery': DeliveryHint;
  'webhook-replay': ReplayHint;
  rescreening: RescreeningHint;
}
