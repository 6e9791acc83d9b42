import type { LivenessMode, PassivePolicy } from '@constancia/contracts';
import type { DocumentType } from '@constancia/reference-data';

export const STEP_TYPES = ['consent', 'document_upload', 'face_match', 'sarlaft'] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** When a face in front of the camera is required although the person presents a kept verification: never, over 90 days after it, always. */
export const REUSE_POLICIES = ['never', 'stale', 'always'] as const;
export type ReusePolicy = (typeof REUSE_POLICIES)[number];

/** Calibrated similarity, 0 to 1: passes from accept on, goes to a person from review on, is rejected below. */
export interface FaceThresholds {
  accept: number;
  review: number;
}

/** What a step is configured with; what is left out has the default of STEP_CONFIGS. */
export interface StepConfigs {
  consent: { purposes: string[] };
  /** file_allowed, here and at face_match: the capture page also takes a file. Versions of before it was asked for have none. */
  document_upload: { document_types: DocumentType[]; max_attempts: number; file_allowed?: boolean };
  /** thresholds null: those that the engine is shipped with. */
  face_match: {
    liveness_mode: LivenessMode;
    max_attempts: number;
    thresholds: FaceThresholds | null;
    /** Flows of before have none: signal. */
    passive_liveness?: PassivePolicy;
    file_allowed?: boolean;
    /** Flows of before have none: stale. */
    reuse_requires_liveness?: ReusePolicy;
  };
  sarlaft: { validation_code: string };
}

/** Whether the capture page takes a file at a step whose config does not say: never instead of a face in front of the camera. */
export const FILE_ALLOWED = { document_upload: true, face_match: false } as const;

/** A step of a flow. A step that is not required may be skipped. */
export type FlowStep = {
  [T in StepType]: { step_type: T; required: boolean; config: StepConfigs[T] };
}[StepType];

/** The documents that a flow accepts; undefined: it asks for none. */
export function documentTypesOf(steps: readonly FlowStep[]): readonly DocumentType[] | undefined {
  const step = steps.find(({ step_type }) => step_type === 'document_upload');
  return step?.step_type === 'document_upload' ? step.config.document_types : undefined;
}
