import type {
  FaceOptions,
  LivenessChallenge,
  LivenessEngine,
  LivenessEvidence,
  LivenessMode,
  LivenessVerdict,
} from '@constancia/face-matching';
import type { ChildEngines } from './child-engines.ts';

/** The liveness engine of this machine, at work in a child process. */
export class ChildLiveness implements LivenessEngine {
  readonly engine = 'child';
  readonly modelVersion = 'child';

  constructor(private readonly children: Pick<ChildEngines, 'work'>) {}

  /** Challenges are issued by the identity module. */
  begin(mode: LivenessMode): Promise<LivenessChallenge> {
    return Promise.reject(new Error(`a challenge of mode ${mode} is not issued here`));
  }

  /** Throws ChildLost. */
  async assess(
    { challenge, selfie, frames, portrait, passive }: LivenessEvidence,
    options: FaceOptions,
  ): Promise<LivenessVerdict> {
    // prettier-ignore
    const pictures = [...(portrait ? [portrait] : []), selfie, ...frames.map(({ picture }) => picture), ...passive.frames]; // prettier-ignore
    const job = {
      job: 'liveness',
      portrait: portrait !== null,
      challenge,
      receivedAt: frames.map((frame) => frame.receivedAt),
      passive: { policy: passive.policy },
      deadlineMs: options.deadlineMs,
    } as const;
    const finding = await this.children.work(job, pictures);
    if (finding.job !== 'liveness') throw new Error('an engine answers what it was not asked');
    return finding.liveness;
  }
}
