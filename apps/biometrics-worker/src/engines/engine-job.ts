import type { DocumentReader, DocumentReading, ExpectedDocument } from '@constancia/document-reading';
import type {
  FaceComparison,
  FaceEngine,
  FaceThresholds,
  LivenessChallenge,
  LivenessEngine,
  LivenessEvidence,
  LivenessVerdict,
  PassivePolicy,
} from '@constancia/face-matching';

/** What liveness is judged by, beside pictures. */
interface LivenessQuestion {
  challenge: LivenessChallenge;
  /** Of each frame of the challenge, the server's time of receipt. */
  receivedAt: number[];
  passive: { policy: PassivePolicy };
}

/** What an engine is asked; the pictures follow it, in the order that each kind says. */
export type EngineJob =
  /** Front, and the back if there is one. */
  | { job: 'document'; expected: ExpectedDocument; deadlineMs: number }
  /** The document's portrait side, the selfie, the frames of the challenge, and those of passive liveness. */
  | (LivenessQuestion & { job: 'face'; thresholds: FaceThresholds | null; deadlineMs: number })
  /** The document's portrait side if there is one, the selfie, the frames of the challenge, and those of passive liveness. */
  | (LivenessQuestion & { job: 'liveness'; portrait: boolean; deadlineMs: number });

/** What was found. liveness: null when the comparison settles the run already. */
export type EngineFinding =
  | { job: 'document'; reading: DocumentReading }
  | { job: 'face'; comparison: FaceComparison; liveness: LivenessVerdict | null }
  | { job: 'liveness'; liveness: LivenessVerdict };

export interface StepEngines {
  documents: DocumentReader;
  faces: FaceEngine;
  liveness: LivenessEngine;
}

/** Works on one job with whichever engines. */
export async function workOn(
  job: EngineJob,
  pictures: readonly Uint8Array[],
  { documents, faces, liveness }: StepEngines,
): Promise<EngineFinding> {
  const endsAt = performance.now() + job.deadlineMs;
  const [first, second] = pictures as [Uint8Array, Uint8Array | undefined];
  switch (job.job) {
    case 'document': {
      const images = { front: first, expected: job.expected, ...(second && { back: second }) };
      return { job: 'document', reading: await documents.read(images, { deadlineMs: job.deadlineMs }) };
    }
    case 'face': {
      const { deadlineMs, thresholds } = job;
      const comparison = await faces.compare(first, second as Uint8Array, { deadlineMs, thresholds });
      if (!['pass', 'review'].includes(comparison.outcome)) return { job: 'face', comparison, liveness: null };
      const evidence = livenessEvidence(job, first, pictures.slice(1));
      return {
        job: 'face',
        comparison,
        liveness: await liveness.assess(evidence, { deadlineMs: endsAt - performance.now() }),
      };
    }
    case 'liveness': {
      const evidence = job.portrait
        ? livenessEvidence(job, first, pictures.slice(1))
        : livenessEvidence(job, null, pictures);
      return { job: 'liveness', liveness: await liveness.assess(evidence, { deadlineMs: job.deadlineMs }) };
    }
  }
}

function livenessEvidence(
  { challenge, receivedAt, passive }: LivenessQuestion,
  portrait: Uint8Array | null,
  pictures: readonly Uint8Array[],
): LivenessEvidence {
  const [selfie, ...frames] = pictures as [Uint8Array, ...Uint8Array[]];
  return {
    challenge,
    selfie,
    portrait,
    frames: receivedAt.map((at, nth) => ({ picture: frames[nth] as Uint8Array, receivedAt: at })),
    passive: { ...passive, frames: frames.slice(receivedAt.length) },
  };
}
