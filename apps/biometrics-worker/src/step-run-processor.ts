import { type LivenessMode, stepResultContext } from '@constancia/contracts';
import type { Pose } from '@constancia/face-matching';
import type { DocumentType } from '@constancia/reference-data';
import { retry, sleep, typeId } from '@constancia/kernel';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { annotateSpan, Logger, withSpan } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { BiometricsConfig } from './config.ts';
import type { EngineJob } from './engines/engine-job.ts';
import { EnginePool } from './engines/engine-pool.ts';
import { BiometricsMetrics } from './metrics.ts';
import { type StepFinding, verdictOf } from './step-results.ts';
import { type ClaimedRun, MOST_ATTEMPTS, type RunEnd, StepRuns } from './step-runs.ts';
import { type OpenedSubject, SubjectMaterial } from './subject-material.ts';
import { EngineFailed, classifyFailure } from './failure.ts';

/** Of a run's own deadline, kept for writing its result. */
const MARGIN_MS = 1_000;
/** With less time no attempt is begun. */
const LEAST_MS = 500;
const PAUSE_MS = 300;
/** An end that cannot be written now is worth trying again, for about as long as the lease lasts. */
const WRITE_ATTEMPTS = 5;
const WRITE_PAUSE_MS = 1_500;

/** Works on one claimed run: fetches its pictures, lets the engines look at them, and writes what came of it. */
@Injectable()
export class StepRunProcessor {
  constructor(
    private readonly runs: StepRuns,
    private readonly material: SubjectMaterial,
    private readonly engines: EnginePool,
    private readonly metrics: BiometricsMetrics,
    private readonly logger: Logger,
    private readonly config: BiometricsConfig,
  ) {}

  /** Never rejects: what cannot even be written is left to the next worker, when the lease has ended. */
  async run(run: ClaimedRun): Promise<void> {
    try {
      const { end, ours } = await withSpan('step', spanFacts(run), () => this.ended(run), { parent: run.traceparent });
      this.metrics.ended(run.step_type, ours ? end.outcome : 'lost');
      this.logger.info(
        { ...facts(run), result: ours ? end.outcome : 'lost', reason: end.reason },
        'a step was worked on',
      );
    } catch (error) {
      this.logger.error({ ...facts(run), error }, 'the end of a step could not be written');
    }
  }

  private async ended(run: ClaimedRun): Promise<{ end: RunEnd; ours: boolean }> {
    const end = await this.end(run);
    annotateSpan({ result: end.outcome }, { failed: end.outcome === 'error' });
    return { end, ours: await this.metrics.stage('finish', () => this.written(run, end)) };
  }

  /** Attempts until one says something, the bound is reached, or the run's time is over. */
  private async end(run: ClaimedRun): Promise<RunEnd> {
    for (let attempt = run.claims; ; attempt++) {
      const left = run.deadline_at.getTime() - Date.now() - MARGIN_MS;
      if (left < LEAST_MS) return failed('deadline');
      try {
        return await this.attempt(run, Math.min(left, this.config.deadlineMs));
      } catch (error) {
        const { reason, passing } = classifyFailure(error);
        this.metrics.failed(reason);
        // Not the error: what libraries say may quote a picture.
        this.logger.warn({ ...facts(run), attempt, reason }, 'an attempt at a step failed');
        if (!passing || attempt >= MOST_ATTEMPTS) return failed(reason);
        await sleep(PAUSE_MS * attempt);
      }
    }
  }

  private async attempt(run: ClaimedRun, deadlineMs: number): Promise<RunEnd> {
    const { material, engines, metrics } = this;
    const endsAt = Date.now() + deadlineMs;
    const subject = await metrics.stage('open', () => material.open(run));
    const { pictureIds, job, mode } = assignmentOf(run, subject);
    const pictures = await metrics.stage('fetch', () => subject.pictures(pictureIds));
    const left = Math.max(LEAST_MS, endsAt - Date.now());
    const finding = await metrics.stage(run.step_type, () => engines.work({ ...job, deadlineMs: left }, pictures));
    if (finding.job === 'liveness') throw new Error('an engine answers what it was not asked');
    return this.sealed(run, subject, finding, mode);
  }

  private sealed(run: ClaimedRun, subject: OpenedSubject, finding: StepFinding, mode: LivenessMode): RunEnd {
    const { outcome, reason, result, engine, modelVersion } = verdictOf(finding, mode);
    if (outcome === 'error') throw new EngineFailed(reason === 'deadline' ? 'deadline' : 'engine_failure');
    const resultSealed = subject.seal(stepResultContext(run.id), JSON.stringify(result));
    return { outcome, reason, resultSealed, engine, modelVersion };
  }

  private written(run: ClaimedRun, end: RunEnd): Promise<boolean> {
    return retry(() => this.runs.finish(run, end), {
      pauseMs: (error, attempt) =>
        error instanceof DatabaseUnavailableError && attempt < WRITE_ATTEMPTS ? WRITE_PAUSE_MS : null,
    });
  }
}

interface Assignment {
  pictureIds: string[];
  job: EngineJob;
  mode: LivenessMode;
}

/** What a run asks of the engines, its deadline apart. */
function assignmentOf(run: ClaimedRun, subject: OpenedSubject): Assignment {
  if (run.step_type === 'document') {
    const { doc_front, doc_back, document_type, document_country } = run.input;
    const expected = {
      documentType: document_type as DocumentType,
      documentNumber: subject.documentNumber,
      country: document_country,
    };
    const pictureIds = [doc_front, ...(doc_back === null ? [] : [doc_back])];
    return { pictureIds, job: { job: 'document', expected, deadlineMs: 0 }, mode: 'basic' };
  }
  const {
    reference,
    selfie,
    liveness_mode: mode,
    thresholds,
    challenge,
    passive_liveness: policy = 'signal',
  } = run.input;
  const frames = challenge?.frames ?? [];
  const passiveFrames = policy === 'off' ? [] : (run.input.passive?.frames ?? []);
  return {
    pictureIds: [reference, selfie, ...[...frames, ...passiveFrames].map(({ asset }) => asset)],
    mode,
    job: {
      job: 'face',
      thresholds,
      challenge: {
        mode,
        poses: (challenge?.poses ?? []) as Pose[],
        issuedAt: challenge ? Date.parse(challenge.issued_at) : 0,
        expiresAt: challenge ? Date.parse(challenge.expires_at) : 0,
      },
      receivedAt: frames.map(({ received_at }) => Date.parse(received_at)),
      passive: { policy },
      deadlineMs: 0,
    },
  };
}

const failed = (reason: string): RunEnd => ({
  outcome: 'error',
  reason,
  resultSealed: null,
  engine: null,
  modelVersion: null,
});

const nameOf = ({ id }: ClaimedRun) => typeId('stp', id);

const spanFacts = (run: ClaimedRun) => ({
  'run.id': nameOf(run),
  'step.type': run.step_type,
  'job.attempt': run.claims,
});

/** What may be reported of a run. */
const facts = (run: ClaimedRun) => ({
  run_id: nameOf(run),
  tenant_id: run.tenant_id,
  job: run.step_type,
  attempts: run.claims,
});
