/** The modules that hold personal data, each of which erases its own. */
export const ERASING_MODULES = ['identity', 'compliance', 'signing'] as const;
export type ErasingModule = (typeof ERASING_MODULES)[number];

/**
 * The identity module asks another module to erase a person. May come more than once with the same id: it is carried out once and
 * answered each time.
 */
export interface ErasureRequestMessage {
  v: 1;
  /** The UUID of the receipt. */
  id: string;
  tenant_id: string;
  /** Queues.seal of an ErasureRequest. */
  sealed: string;
}

export interface ErasureRequest {
  /** Every reference under which the tenant or the identity module knows the person: the TypeID `sub_…` and external references. */
  subject_refs: string[];
  /** Signers are matched by it. */
  email: string | null;
  /** Who asked for the erasure. */
  actor: string;
  /** ISO time: when the legal retention starts. */
  relationship_ended_at: string;
}

/** A module answers, with the request's ids. */
export interface ErasureResultMessage {
  v: 1;
  /** The UUID of the receipt, as in the request. */
  id: string;
  tenant_id: string;
  /** Queues.seal of a ModuleErasure. */
  sealed: string;
}

/** What one module did, as its part of a receipt says it. */
export interface ModuleErasure {
  module: ErasingModule;
  /** pending: not carried out yet. Asked again until it is done. */
  status: 'pending' | 'done';
  /** A closed list of words of each module: 'screenings', 'monitoring', 'merge_data', 'signers', … */
  erased: string[];
  /** Kept, and blocked where the law asks for it: 'screenings', 'cases', 'sealed_documents', … */
  kept: string[];
  /** Why something is kept, in a sentence; null when nothing is. */
  legal_basis: string | null;
  /** ISO time; null when nothing is kept, or without an end. */
  kept_until: string | null;
}
