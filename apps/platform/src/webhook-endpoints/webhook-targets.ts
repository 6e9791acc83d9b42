import { checkTargetAddresses, type Resolve, type TargetPolicy, TargetRefused } from '@constancia/events';
import { ValidationError } from '@constancia/problem-json';

/** Where this deployment lets webhooks go, as checked at registration; the dispatcher checks again at every connection. */
export class WebhookTargets {
  constructor(
    private readonly policy: TargetPolicy,
    private readonly resolve: Resolve,
  ) {}

  /** The URL as it will be called. Throws ValidationError at /url when webhooks may not go there. */
  async check(url: string): Promise<string> {
    try {
      return (await checkTargetAddresses(url, this.policy, this.resolve)).href;
    } catch (error) {
      if (!(error instanceof TargetRefused)) throw error;
      throw new ValidationError([{ pointer: '/url', code: error.code, detail: error.message }]);
    }
  }
}
