/** What a client learned about one thing that it asked for. It keeps this itself: the store has no part in it. */
export interface Call {
  kind: 'signature' | 'envelope' | 'screening' | 'session' | 'topup' | 'presentation';
  /** The client's own reference, in the request: unique, so that what came of the call can be counted. */
  ref: string;
  key: string;
  tenantId: string;
  apiKey: string;
  /** acknowledged: answered 2xx; refused: answered with a final 4xx; unanswered: never, however often it was repeated. */
  outcome: 'acknowledged' | 'refused' | 'unanswered';
  /** The ids that 2xx answers named, each once. */
  ids: string[];
  /** How often it was sent. */
  sent: number;
  status?: number;
}

/**
 * A promise beyond the creation itself: the answer that a signer signed, a session's end, a person's answer to a request for their kept
 * verification, or the code of a sign-in with which a verification is released to a client.
 */
export interface Statement {
  kind: 'signer signed' | 'session ended' | 'request answered' | 'verification released';
  id: string;
  status: string;
}

/** What became of the code of one sign-in: the status of each time that it was sent; null: no answer came. */
export type Redemption = (number | null)[];

/** Whether an answer is final: the same request sent again would change nothing. Null: no answer came. */
export const isFinal = (status: number | null): boolean =>
  status !== null && status !== 408 && status !== 429 && status < 500;

export interface Journal {
  calls: Call[];
  statements: Statement[];
  redemptions: Redemption[];
  /** Answers that break the contract, and other things no client should see. */
  surprises: string[];
}

export const emptyJournal = (): Journal => ({ calls: [], statements: [], redemptions: [], surprises: [] });
