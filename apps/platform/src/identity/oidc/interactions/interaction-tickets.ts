import { SecretBox } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import type { WalletSignInMethod } from '../../wallet/sessions/wallet-session.entity.ts';
import type { Agreement } from '../provider/releases.ts';

/** How a person answered on the page. Ids are UUIDs. agree without a text: nothing is given but a sign-in. */
export type InteractionAnswer =
  | { kind: 'sign_in'; walletId: string; method: WalletSignInMethod }
  | { kind: 'agree'; text: Agreement | null }
  | { kind: 'refuse' };

/** As long as a browser needs for one redirect. */
const SECONDS = 120;

const contextOf = (uid: string): string => `oidc_interaction:${uid}`;

/**
 * Carries a person's answer from the person host to the API host, where the request was begun: sealed, for this request alone. It counts
 * only in the browser that has the cookie of the request, so that nobody gets another person to answer theirs.
 */
@Injectable()
export class InteractionTickets {
  constructor(private readonly box: SecretBox) {}

  issue(uid: string, answer: InteractionAnswer): string {
    const sealed = JSON.stringify({ answer, until: Date.now() + SECONDS * 1_000 });
    return this.box.seal(sealed, contextOf(uid)).toString('base64url');
  }

  /** Null: it was not issued for this request, or it is too old. */
  open(uid: string, ticket: string, now: number = Date.now()): InteractionAnswer | null {
    try {
      const opened = this.box.open(Buffer.from(ticket, 'base64url'), contextOf(uid)).toString('utf8');
      const { answer, until } = JSON.parse(opened) as { answer: InteractionAnswer; until: number };
      return until > now ? answer : null;
    } catch {
      return null;
    }
  }
}
