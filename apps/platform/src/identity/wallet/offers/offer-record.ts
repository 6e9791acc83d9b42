/** What the sealed record of an offer holds: JSON. */
export interface OfferRecord {
  email: string;
  ip: string;
  user_agent: string | null;
}

/** What it is bound to, beside tenant and subject. */
export const offerContext = (sessionId: string): string => `wallet_offer:${sessionId}`;
