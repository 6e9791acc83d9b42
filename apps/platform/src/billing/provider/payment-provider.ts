/** A checkout that a payer is sent to, before anything is paid. */
export interface NewPreference {
  /** Ours: what the provider answers as external_reference of its payments. */
  externalReference: string;
  title: string;
  /** Whole pesos. */
  amountCop: number;
  /** Where the provider announces payments. */
  notificationUrl: string;
  /** Where the payer's browser goes afterwards: an address of this deployment. */
  returnUrls: { success: string; failure: string; pending: string };
  expiresAt: Date;
}

export interface Preference {
  id: string;
  /** Where the payer pays. */
  initPoint: string;
}

/** A payment as the provider described it at one moment. Only a look-up makes one: a callback's body is never read. */
export interface PaymentSnapshot {
  paymentId: string;
  externalReference: string | null;
  status: string;
  statusDetail: string;
  currency: string;
  /** Hundredths of the currency. */
  amountCents: number;
  refundedCents: number;
  /** The provider's own time of the last change. */
  updatedAt: Date;
  /** Whether real money moved. */
  live: boolean;
}

/** What a callback is, before anything is looked up. */
export type CallbackVerdict =
  /** It cannot be read as a callback of this provider. */
  | { kind: 'malformed'; detail: string }
  /** Its signature is not of a secret that we share with the provider. */
  | { kind: 'forged' }
  /** Signed by the provider, and about something else than a payment. */
  | { kind: 'ignored' }
  /** Signed by the provider; `stale`: at another time than now, as repetitions of old callbacks and replays by others are. */
  | { kind: 'genuine'; paymentId: string; stale: boolean };

export interface Callback {
  query: Record<string, unknown>;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Who takes the payers' money. Everything that changes money is decided by what getPayment and searchByExternalReference answer. They
 * throw PaymentProviderUnavailable when the provider cannot be reached or does not answer as agreed.
 */
export abstract class PaymentProvider {
  /** In addresses of callbacks, and stored with each top-up. */
  abstract readonly name: string;
  /** Whether this deployment can take payments. */
  abstract readonly isConfigured: boolean;
  /** Creates a checkout. Repeated with the same external reference, it answers the same one. */
  abstract createPreference(wanted: NewPreference): Promise<Preference>;
  /** Null when the provider knows no such payment. */
  abstract getPayment(paymentId: string): Promise<PaymentSnapshot | null>;
  /** Every payment with this reference. */
  abstract searchByExternalReference(reference: string): Promise<PaymentSnapshot[]>;
  /** Gives a payment back, or a part of it in whole pesos. Repeated with the same key, it is done once. */
  abstract refund(paymentId: string, key: string, amountCop?: number): Promise<void>;
  abstract verifyCallback(callback: Callback, now?: Date): CallbackVerdict;
}
