import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { WebhookTargets } from '../webhook-targets.ts';
import { type Subscription, type SubscriptionFacts, subscriptionOf } from './subscription.ts';

/** Everything wrong at once: the subscription and the URL. `before`: the endpoint that changes. Throws ValidationError. */
export async function checkEndpoint(
  targets: WebhookTargets,
  body: SubscriptionFacts & { url?: string | undefined },
  before?: Subscription,
): Promise<{ url: string | undefined; subscription: Subscription }> {
  const errors: FieldError[] = [];
  const subscription = subscriptionOf(body, before);
  if (Array.isArray(subscription)) errors.push(...subscription);
  const url = await targetOf(targets, body.url, errors);
  if (errors.length > 0) throw new ValidationError(errors);
  return { url, subscription: subscription as Subscription };
}

/** The URL as it will be called; what is wrong with it is added to `errors`. */
export async function targetOf(
  targets: WebhookTargets,
  url: string | undefined,
  errors: FieldError[],
): Promise<string | undefined> {
  if (url === undefined) return undefined;
  return targets.check(url).catch((error: unknown) => {
    if (!(error instanceof ValidationError)) throw error;
    errors.push(...error.errors);
    return undefined;
  });
}
