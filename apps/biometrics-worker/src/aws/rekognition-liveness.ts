import { CreateFaceLivenessSessionCommand, GetFaceLivenessSessionResultsCommand } from '@aws-sdk/client-rekognition';
import type { RekognitionClient } from '@aws-sdk/client-rekognition';
import type {
  FaceOptions,
  FaceReason,
  LivenessChallenge,
  LivenessEngine,
  LivenessEvidence,
  LivenessMode,
  LivenessVerdict,
} from '@constancia/face-matching';
import { failureOf, shareOf } from './service-failure.ts';

/** Rekognition gives a session so long. */
const SESSION_MS = 3 * 60_000;
/** Of Rekognition's confidence (0 to 100): alive from here on. */
const ALIVE_FROM = 80;

/**
 * Active liveness by sessions of Amazon Rekognition, which its own client component fills. Everything else (mode basic, and sequences of
 * head turns that we issued ourselves) is for the engine behind it.
 */
export class RekognitionLiveness implements LivenessEngine {
  readonly engine = 'aws-rekognition-liveness';
  readonly modelVersion = 'FaceLiveness';

  constructor(
    private readonly client: RekognitionClient,
    private readonly otherwise: LivenessEngine,
  ) {}

  async begin(mode: LivenessMode, now = Date.now()): Promise<LivenessChallenge> {
    if (mode === 'basic') return this.otherwise.begin(mode, now);
    const { SessionId } = await this.client.send(new CreateFaceLivenessSessionCommand({}));
    if (!SessionId) throw new Error('Rekognition answered no session');
    return { mode, poses: [], issuedAt: now, expiresAt: now + SESSION_MS, externalId: SessionId };
  }

  async assess(evidence: LivenessEvidence, options: FaceOptions): Promise<LivenessVerdict> {
    const { externalId, mode } = evidence.challenge;
    if (externalId === null) return this.otherwise.assess(evidence, options);
    const started = performance.now();
    const said = await this.ofSession(externalId, options.deadlineMs);
    const { engine, modelVersion } = this;
    const signals = said.score === null ? [] : [{ name: 'confidence', value: said.score }];
    return {
      ...said,
      mode,
      checks: {},
      signals,
      engine,
      modelVersion,
      tookMs: Math.round(performance.now() - started),
    };
  }

  private async ofSession(
    SessionId: string,
    deadlineMs: number,
  ): Promise<Pick<LivenessVerdict, 'outcome' | 'reasons' | 'passed' | 'score'>> {
    const says = (outcome: LivenessVerdict['outcome'], reasons: FaceReason[], score: number | null = null) => ({
      outcome,
      reasons,
      passed: outcome === 'pass',
      score,
    });
    try {
      const abortSignal = AbortSignal.timeout(Math.max(1, deadlineMs));
      const command = new GetFaceLivenessSessionResultsCommand({ SessionId });
      const { Status, Confidence = 0 } = await this.client.send(command, { abortSignal });
      if (Status === 'FAILED') return says('error', ['engine_failure']);
      if (Status !== 'SUCCEEDED') return says('retry', ['challenge_expired']);
      const score = shareOf(Confidence);
      if (Confidence >= ALIVE_FROM) return says('pass', [], score);
      return says('review', ['spoof_suspected'], score);
    } catch (error) {
      if ((error as { name?: string }).name === 'SessionNotFoundException') return says('retry', ['challenge_expired']);
      return says('error', [failureOf(error) === 'deadline' ? 'deadline' : 'engine_failure']);
    }
  }
}
