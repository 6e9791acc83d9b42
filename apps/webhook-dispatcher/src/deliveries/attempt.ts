import { signDelivery } from '@constancia/events';
import { SecretBox, typeId } from '@constancia/kernel';
import { annotateSpan, currentTraceparent, tracingEnabled, withSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ClaimedDelivery } from './deliveries.ts';
import { EVENT_EXPIRED } from './outcome.ts';
import { type Posted, Poster } from './post.ts';

const USER_AGENT = 'Constancia-Webhooks/1';

/** Makes one attempt at a delivery: opens the tenant's secrets, signs the stored body, sends it. */
@Injectable()
export class Attempts {
  private readonly opened = new LRUCache<string, string>({ max: 20_000, ttl: 10 * 60_000 });

  constructor(
    private readonly poster: Poster,
    private readonly secrets: SecretBox,
  ) {}

  /** Throws only for internal reasons (a secret that no key opens): nothing was sent then. */
  make(delivery: ClaimedDelivery): Promise<Posted> {
    return tracingEnabled() ? this.traced(delivery) : this.send(delivery);
  }

  private traced(delivery: ClaimedDelivery): Promise<Posted> {
    const { traceparent, attempts } = delivery;
    // A replay is a story of its own that refers to the first one.
    const replayed = attempts > delivery.schedule_step;
    const story = replayed && traceparent !== null ? { links: [traceparent] } : { parent: traceparent };
    const attributes = {
      'delivery.id': typeId('dlv', delivery.delivery_id),
      'delivery.number': attempts + 1,
      'delivery.replayed': replayed,
      'event.id': delivery.event_id,
    };
    return withSpan('webhook attempt', attributes, () => this.annotated(delivery), { ...story, kind: 'client' });
  }

  private async annotated(delivery: ClaimedDelivery): Promise<Posted> {
    const posted = await this.send(delivery);
    const { httpStatus, error } = posted;
    const said = { 'http.response.status_code': httpStatus ?? undefined, 'error.type': error?.code };
    annotateSpan(said, { failed: httpStatus === null || httpStatus >= 300 });
    return posted;
  }

  private async send(delivery: ClaimedDelivery): Promise<Posted> {
    if (delivery.body === null) return eventExpired();
    const body = Buffer.from(delivery.body, 'utf8');
    const traceparent = currentTraceparent() ?? delivery.traceparent;
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      ...signDelivery(body, {
        secret: this.open(delivery.tenant_id, delivery.webhook_secret),
        previousSecret:
          delivery.previous_webhook_secret && this.open(delivery.tenant_id, delivery.previous_webhook_secret),
        eventId: delivery.event_id,
        timestampSeconds: Math.floor(Date.now() / 1_000),
      }),
    };
    if (traceparent) headers.traceparent = traceparent;
    return this.poster.post(delivery.url, headers, body);
  }

  private open(tenantId: string, sealed: Buffer): string {
    const key = sealed.toString('latin1');
    let secret = this.opened.get(key);
    if (secret === undefined) {
      secret = this.secrets.open(sealed, `webhook_secret:${tenantId}`).toString('utf8');
      this.opened.set(key, secret);
    }
    return secret;
  }
}

function eventExpired(): Posted {
  const error = { code: EVENT_EXPIRED, detail: 'The event is older than the time for which bodies are kept.' };
  return { at: new Date(), durationMs: 0, firstByteMs: null, httpStatus: null, retryAfter: null, excerpt: null, error };
}
