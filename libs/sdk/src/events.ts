import type { webhooks } from './generated/platform.ts';

type EventBodies = {
  [Type in keyof webhooks]: webhooks[Type]['post'] extends {
    requestBody: { content: { 'application/json': infer Body } };
  }
    ? Body
    : never;
};

/** An event as it is delivered: a union that `event_type` discriminates, so that a `switch` over it types `payload`. */
export type WebhookEvent = EventBodies[keyof EventBodies];

/** The types of events that this release knows. A newer service may send others: have a default branch. */
export type WebhookEventType = WebhookEvent['event_type'];

/** The event of one type, or of several: `WebhookEventOf<'subject.verified'>`. */
export type WebhookEventOf<Type extends WebhookEventType> = Extract<WebhookEvent, { event_type: Type }>;
