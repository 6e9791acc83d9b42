import type { EventModule } from './modules.ts';

/** Credits per operation (interface document, "Limits"). */
export const PRICE = { signature: 40, screening: 8, kyc: 80, kycReuse: 32, envelope: 40 } as const;

/** Simulated credits that a sandbox tenant starts with. */
export const SANDBOX_GRANT = 1000;

/** What a tenant can be charged for. */
export interface Operation {
  operation: string;
  module: EventModule;
  credits: number;
  /** When: together with the result, or held first and spent once there is a decision. */
  charged: 'at_once' | 'on_decision';
  /** False: it has a price, and no endpoint offers it yet. */
  available: boolean;
  /** How its entries in the ledger name the object that they are for. */
  refType: string;
}

/** Every operation that has a price. */
export const OPERATIONS: readonly Operation[] = [
  { module: 'seal', operation: 'signature', credits: PRICE.signature, charged: 'at_once', available: true, refType: 'signature' },
  { module: 'seal', operation: 'envelope', credits: PRICE.envelope, charged: 'at_once', available: true, refType: 'envelope' },
  { module: 'compliance', operation: 'screening', credits: PRICE.screening, charged: 'at_once', available: true, refType: 'screening' },
  { module: 'identity', operation: 'kyc', credits: PRICE.kyc, charged: 'on_decision', available: true, refType: 'step_run' },
  { module: 'identity', operation: 'kyc_reuse', credits: PRICE.kycReuse, charged: 'on_decision', available: true, refType: 'presentation' },
]; // prettier-ignore

/** The operation that ledger entries of a module for such an object belong to; the word of the object where no price is known. */
export function operationOf(module: string, refType: string): string {
  return OPERATIONS.find((each) => each.module === module && each.refType === refType)?.operation ?? refType;
}
