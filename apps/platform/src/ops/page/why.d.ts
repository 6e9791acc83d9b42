/** What to do about a delivery: `id` is the delivery's (show, replay) or its endpoint's (resume). */
export interface Step {
  do: 'resume' | 'replay' | 'show' | 'lag';
  id?: string;
}

export interface Why {
  sentences: string[];
  /** In this order. */
  steps: Step[];
}

export interface DeliveryToExplain {
  id: string;
  status: string;
  attempts: number;
  last_error: string | null;
  last_http_status: number | null;
  next_attempt_at: string | null;
  created_at: string;
  endpoint?: {
    id: string;
    enabled: boolean;
    disabled_reason: string | null;
    paused_until: string | null;
  } | null;
}

/** What keeps a delivery from its receiver. `clock` shows a time to this reader. */
export function whyDelivery(
  delivery: DeliveryToExplain,
  locale: 'en' | 'es',
  clock: (iso: string) => string,
  now?: number,
): Why;

/** The same for an event without a delivery. `endpoint`: the one of its module, if there is one. */
export function whyNone(
  event: { module: string; event_type: string },
  endpoint: { event_types: string[] } | undefined,
  locale: 'en' | 'es',
): Why;

/** An attempt's error, as part of a sentence. */
export function errorWords(code: string | null, status: number | null, locale: 'en' | 'es'): string;

export function shortSpan(seconds: number): string;

/** Whose ops port tells how what an event is about came to be; undefined: the platform's, in the trace itself. */
export function tellerOf(about: { id: string } | null): 'signing' | 'compliance' | undefined;
