import type { SignerIdentityRefusal } from '@constancia/contracts';
import { documentTypesOf, type FlowStep } from '../flows/step-types.ts';

/** Why a flow cannot verify the identity of a signer with this document; undefined: it can. */
export function refusalOf(steps: readonly FlowStep[], documentType: string): SignerIdentityRefusal | undefined {
  const requires = (type: FlowStep['step_type']) => steps.some((step) => step.step_type === type && step.required);
  if (!requires('document_upload') || !requires('face_match')) return 'flow_not_suitable';
  const accepted: readonly string[] = documentTypesOf(steps) ?? [];
  return accepted.includes(documentType) ? undefined : 'document_not_accepted';
}
