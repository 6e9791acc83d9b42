import { NotFound, StateConflict } from '@constancia/problem-json';
import { uuidOf } from '@constancia/kernel';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import {
  allowedEnvelopeActions,
  allowedSignerActions,
  type EnvelopeStatus,
  envelopeTransition,
  isOpen,
  signerTransition,
} from '../envelope-records/envelope-states.ts';

/** What a tenant may ask of an envelope or one of its signers. */
const TENANT_ACTIONS = ['void', 'remind', 'rotate'] as const;
export type TenantAction = (typeof TENANT_ACTIONS)[number];

/** Throws StateConflict, with what can be done instead, when the envelope's state does not take the action. */
export function refuseEnvelopeAction(envelope: EnvelopeRow, action: TenantAction): void {
  const status = statusOf(envelope);
  if (envelopeTransition(status, action)) return;
  throw new StateConflict(`An envelope that is ${status} does not take ${action}.`, {
    status_of_envelope: status,
    allowed_actions: tenantsAmong(allowedEnvelopeActions(status)),
  });
}

/** An envelope whose time is over is expired, also before the sweep comes by: its links are dead already. */
function statusOf({ status, expires_at }: EnvelopeRow): EnvelopeStatus {
  return isOpen(status) && expires_at.getTime() <= Date.now() ? 'expired' : status;
}

/** The same for a signer of an envelope that takes the action. */
export function refuseSignerAction({ status }: SignerRow, action: Exclude<TenantAction, 'void'>): void {
  if (signerTransition(status, action)) return;
  throw new StateConflict(`A signer who is ${status} does not take ${action}.`, {
    status_of_signer: status,
    allowed_actions: tenantsAmong(allowedSignerActions(status)),
  });
}

function tenantsAmong(actions: readonly string[]): TenantAction[] {
  return TENANT_ACTIONS.filter((action) => actions.includes(action));
}

/** A signer of an envelope by its TypeID. Throws NotFound, for one of another envelope too. */
export function signerOf(signers: readonly SignerRow[], id: string): SignerRow {
  const uuid = uuidOf('sgn', id);
  const signer = signers.find((one) => one.id === uuid);
  if (!signer) throw new NotFound();
  return signer;
}
