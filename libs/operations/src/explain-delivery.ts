import { isPaused } from './endpoint-health.ts';
import { ATTEMPT_ERRORS, DELIVERY_SENTENCES, type Locale, NO_DELIVERY_SENTENCES } from './explain-texts.ts';
import type { EndpointRow, EndpointState } from './rows.ts';
import { duration } from './times.ts';

/** What to do about a delivery: `id` is the delivery's (show, replay) or its endpoint's (resume). */
export interface Step {
  do: 'resume' | 'replay' | 'show' | 'lag';
  id?: string | undefined;
}

export interface Explanation {
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
  endpoint?: Pick<EndpointState, 'id' | 'enabled' | 'disabled_reason' | 'paused_until'> | null;
}

type Values = Readonly<Record<string, string | number | null>>;

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '?'));

/** An attempt's error, as part of a sentence. */
export function attemptErrorText(code: string | null, status: number | null, locale: Locale): string {
  const texts: Readonly<Record<string, string>> = ATTEMPT_ERRORS[locale];
  return fill(texts[code ?? ''] ?? ATTEMPT_ERRORS[locale].other, { code, status });
}

/** What keeps a delivery from its receiver, and what helps. `clock` shows a time to this reader. */
export function explainDelivery(
  delivery: DeliveryToExplain,
  locale: Locale,
  clock: (iso: string) => string,
  now = Date.now(),
): Explanation {
  const texts = DELIVERY_SENTENCES[locale];
  const { id, status, attempts } = delivery;
  const values = {
    attempts,
    error: attemptErrorText(delivery.last_error, delivery.last_http_status, locale),
    status: delivery.last_http_status,
    reason: delivery.endpoint?.disabled_reason ?? texts.byTenant,
  };
  if (status === 'delivered') return { sentences: [fill(texts.delivered, values)], steps: [show(id), replay(id)] };
  if (status === 'delivering')
    return { sentences: [attempts > 0 ? texts.delivering : texts.deliveringLong], steps: [show(id)] };
  if (status === 'failed') return explainFailed(delivery, values, locale);
  const stopped = sentenceOfStopped(delivery, values, locale, clock, now);
  if (stopped !== undefined) return { sentences: [stopped], steps: [{ do: 'resume', id: delivery.endpoint?.id }] };
  const next = delivery.next_attempt_at;
  if (attempts > 0) {
    const seconds = next ? (Date.parse(next) - now) / 1_000 : 0;
    const when = seconds <= 0 ? texts.now : fill(texts.in, { span: duration(seconds) });
    return { sentences: [fill(texts.retry, { ...values, next: when })], steps: [show(id), replay(id)] };
  }
  return { sentences: [fill(texts.first, { since: clock(next ?? delivery.created_at) })], steps: [{ do: 'lag' }] };
}

const show = (id: string): Step => ({ do: 'show', id });
const replay = (id: string): Step => ({ do: 'replay', id });

/** Of a delivery whose endpoint takes nothing; undefined when it does. */
function sentenceOfStopped(
  { endpoint }: DeliveryToExplain,
  values: Values,
  locale: Locale,
  clock: (iso: string) => string,
  now: number,
): string | undefined {
  const { disabled, paused } = DELIVERY_SENTENCES[locale];
  if (!endpoint) return undefined;
  if (!endpoint.enabled) return fill(disabled, values);
  return isPaused(endpoint, now) ? fill(paused, { until: clock(endpoint.paused_until ?? '') }) : undefined;
}

function explainFailed(delivery: DeliveryToExplain, values: Values, locale: Locale): Explanation {
  const texts = DELIVERY_SENTENCES[locale];
  const { id, attempts, endpoint, last_error: error } = delivery;
  const sentence = attempts === 0 ? texts.failedUntried : attempts === 1 ? texts.failedOnce : texts.failed;
  const sentences = [fill(sentence, values)];
  if (error === 'event_expired') return { sentences, steps: [show(id)] }; // its body is gone
  if (!endpoint) return { sentences: [...sentences, texts.noEndpoint], steps: [show(id)] };
  if (endpoint.enabled) return { sentences, steps: [replay(id)] };
  return {
    sentences: [...sentences, fill(texts.stillDisabled, values)],
    steps: [{ do: 'resume', id: endpoint.id }, replay(id)],
  };
}

/** Why an event has no delivery. `endpoint`: the one of its module, if there is one. */
export function explainNoDelivery(
  { module, event_type: type }: { module: string; event_type: string },
  endpoint: Pick<EndpointRow, 'event_types'> | undefined,
  locale: Locale,
): Explanation {
  const texts = NO_DELIVERY_SENTENCES[locale];
  const values = { module, type };
  if (!endpoint) return { sentences: [fill(texts.noEndpoint, values), texts.later], steps: [] };
  const isSubscribed = endpoint.event_types.length === 0 || endpoint.event_types.includes(type);
  return { sentences: [fill(isSubscribed ? texts.since : texts.unsubscribed, values), texts.later], steps: [] };
}
