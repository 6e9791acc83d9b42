import { WALLET_LEVELS, type WalletLevel } from '@constancia/contracts';
import type { FlowStep, StepType } from '../flows/step-types.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { MAX_AGE_DAYS } from '../presentations/request-bodies.ts';

const DAY_MS = 86_400_000;
/** A face that was looked at longer ago is stale. */
const STALE_DAYS = 90;

/** A verification that a person presented. */
export interface Presented {
  level: WalletLevel;
  verifiedAt: Date;
  /** As it was asked for. */
  maxAgeDays: number;
}

export interface ReuseRefusal {
  reason: 'reuse_age' | 'reuse_level' | 'reuse_liveness';
  detail: string;
}

/** How old a verification may be that stands for the face of these steps, in days; 0: none does. */
export function acceptedAgeDays(steps: readonly FlowStep[]): number {
  const face = steps.find((step) => step.step_type === 'face_match');
  const policy = (face?.step_type === 'face_match' && face.config.reuse_requires_liveness) || 'stale';
  return { never: MAX_AGE_DAYS, stale: STALE_DAYS, always: 0 }[policy];
}

/** Whether a session with these steps can use an approved request that its page made. */
export function isUsable(row: Presentation, steps: readonly FlowStep[], now: Date): boolean {
  const { status, consent_revoked_at, level, verified_at: verifiedAt, max_age_days: maxAgeDays } = row;
  if (status !== 'approved' || consent_revoked_at !== null || level === null || verifiedAt === null) return false;
  return reuseRefusal(steps, { level, verifiedAt, maxAgeDays }, now) === null;
}

/** The steps that a kept verification can stand for, of those that follow the consent. */
export function reusableSteps(steps: readonly FlowStep[], consentAt: number): StepType[] {
  const types = steps.slice(consentAt + 1).map(({ step_type }) => step_type);
  const end = types.findIndex((type) => type !== 'document_upload' && type !== 'face_match');
  return end === -1 ? types : types.slice(0, end);
}

/** Why a flow does not accept a verification instead of its own document and face; null: it does. */
export function reuseRefusal(steps: readonly FlowStep[], presented: Presented, now: Date): ReuseRefusal | null {
  const ageDays = (now.getTime() - presented.verifiedAt.getTime()) / DAY_MS;
  if (ageDays > presented.maxAgeDays) return { reason: 'reuse_age', detail: 'It is older by now than was asked for.' };
  const face = steps.find((step) => step.step_type === 'face_match');
  if (face?.step_type !== 'face_match') return null;
  const { liveness_mode, reuse_requires_liveness: policy = 'stale' } = face.config;
  const least: WalletLevel = liveness_mode === 'active' ? 'document_face_liveness' : 'document_face';
  if (WALLET_LEVELS.indexOf(presented.level) < WALLET_LEVELS.indexOf(least)) {
    return { reason: 'reuse_level', detail: `The flow asks for ${least}, and the verification is ${presented.level}.` };
  }
  if (policy === 'always' || (policy === 'stale' && ageDays > STALE_DAYS)) {
    return { reason: 'reuse_liveness', detail: 'The flow requires a face in front of the camera.' };
  }
  return null;
}
