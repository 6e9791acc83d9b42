export declare const DEFAULT_PORT_BASE: number;

type Published = 'platform' | 'compliance' | 'signing' | 'sign' | 'mailbox' | 'kms' | 'smtp' | 'postgres';

/** Ports of the local stack from a base. */
export declare function portsFrom(base: number): Record<Published, number> & { ops: Record<string, number> };

/** Where "npm run receive" listens, next to a stack with this base. */
export declare function receiverPort(base: number): number;
