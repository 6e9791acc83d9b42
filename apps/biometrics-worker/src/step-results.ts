import type {
  DocumentStepResult,
  FaceStepResult,
  LivenessMode,
  PassiveLivenessResult,
  StepOutcome,
} from '@constancia/contracts';
import type { DocumentReading } from '@constancia/document-reading';
import type { FaceComparison, LivenessVerdict, PassiveVerdict } from '@constancia/face-matching';
import type { EngineFinding } from './engines/engine-job.ts';

/** What a finding means for the run. result: what the tenant may see; null for an error, which says nothing about the pictures. */
export interface StepVerdict {
  outcome: StepOutcome;
  /** The weightiest reason; null for pass. */
  reason: string | null;
  result: DocumentStepResult | FaceStepResult | null;
  engine: string;
  modelVersion: string;
}

/** Of several outcomes the first of these that any says: what was not seen well enough is tried again before anybody is judged by it. */
const WEIGHT: readonly StepOutcome[] = ['error', 'retry', 'reject', 'review', 'pass'];

/** A step's own finding: of a document or a face. */
export type StepFinding = Exclude<EngineFinding, { job: 'liveness' }>;

export function verdictOf(finding: StepFinding, mode: LivenessMode): StepVerdict {
  if (finding.job === 'document') return documentVerdict(finding.reading);
  return faceVerdict(finding.comparison, finding.liveness, mode);
}

function documentVerdict(reading: DocumentReading): StepVerdict {
  const { outcome, reasons, engine, modelVersion } = reading;
  return {
    outcome,
    reason: reasons[0] ?? null,
    result: outcome === 'error' ? null : documentResult(reading),
    engine,
    modelVersion,
  };
}

function documentResult({ kind, fields, nameTrusted, reasons, quality, tookMs }: DocumentReading): DocumentStepResult {
  return {
    v: 1,
    kind,
    fields,
    name_trusted: nameTrusted,
    reasons,
    quality: quality.map(({ side, width, height, sharpness, glare, reasons: why }) => ({
      side,
      width,
      height,
      sharpness,
      glare,
      reasons: why,
    })),
    took_ms: tookMs,
  };
}

function faceVerdict(comparison: FaceComparison, liveness: LivenessVerdict | null, mode: LivenessMode): StepVerdict {
  const parts = [comparison, ...(liveness ? [liveness] : [])];
  const outcome = WEIGHT.find((weight) => parts.some((part) => part.outcome === weight)) ?? 'error';
  const reasons = parts.filter((part) => part.outcome === outcome).flatMap((part) => part.reasons);
  const { engine, modelVersion } = comparison;
  return {
    outcome,
    reason: reasons[0] ?? null,
    result: outcome === 'error' ? null : faceResult({ comparison, liveness, mode, reasons }),
    engine,
    modelVersion:
      liveness && liveness.modelVersion !== modelVersion ? `${modelVersion}+${liveness.modelVersion}` : modelVersion,
  };
}

function faceResult({
  comparison,
  liveness,
  mode,
  reasons,
}: {
  comparison: FaceComparison;
  liveness: LivenessVerdict | null;
  mode: LivenessMode;
  reasons: string[];
}): FaceStepResult {
  return {
    v: 1,
    score: comparison.score,
    raw_metric: comparison.rawMetric,
    thresholds: comparison.thresholds,
    liveness: livenessResult(liveness, mode),
    reasons,
    took_ms: comparison.tookMs + (liveness?.tookMs ?? 0),
  };
}

function livenessResult(liveness: LivenessVerdict | null, mode: LivenessMode): FaceStepResult['liveness'] {
  const challenge = mode === 'active' ? (['challenge'] as const) : [];
  if (liveness === null) {
    return {
      mode,
      passed: null,
      score: null,
      signals: [],
      evidence: ['selfie', ...challenge],
      passive: null,
      portrait_copy: null,
    };
  }
  const { passed, score, signals, checks, passive, portraitCopy } = liveness;
  return {
    mode,
    passed,
    score,
    signals: [
      ...signals.map(({ name, value }) => `${name}=${Math.round(value * 1_000) / 1_000}`),
      ...Object.entries(checks).map(([check, held]) => `${check}=${held}`),
    ],
    evidence: ['selfie', ...challenge, ...(passive ? (['frames'] as const) : [])],
    passive: passive ? passiveResult(passive) : null,
    portrait_copy: portraitCopy ?? null,
  };
}

function passiveResult({ leastDifference, borderSides, ...rest }: PassiveVerdict): PassiveLivenessResult {
  return { ...rest, least_difference: leastDifference, border_sides: borderSides };
}
