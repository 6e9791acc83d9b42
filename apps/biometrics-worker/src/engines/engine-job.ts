import type { DocumentReader, DocumentReading, ExpectedDocument } from '@constancia/document-reading';
import type {
  FaceComparison,
  FaceEngine,
  FaceThresholds,
  LivenessChallenge,
  LivenessEngine,
  LivenessEvidence,
  LivenessVerdict,
} from '@constancia/face-matching';

/** What an engine is asked; the pictures follow it, in the order that each kind says. */
export type EngineJob =
  /** Front, and the back if there is one. */
  | { job: 'document'; expected: ExpectedDocument; deadlineMs: number }
  /** The document's portrait side, the selfie, and the frames of the challenge, with the server's times of receipt. */
  | {
      job: 'face';
      thresholds: FaceThresholds | null;
      challenge: LivenessChallenge;
      receivedAt: number[];
      deadlineMs: number;
    }
  /** The selfie, and the frames of the challenge. */
  | { job: 'liveness'; challenge: LivenessChallenge; receivedAt: number[]; deadlineMs: number };

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
      const evidence = livenessEvidence(job, pictures.slice(1));
      return {
        job: 'face',
        comparison,
        liveness: await liveness.assess(evidence, { deadlineMs: endsAt - performance.now() }),
      };
    }
    case 'liveness':
      return {
        job: 'liveness',
        liveness: await liveness.assess(livenessEvidence(job, pictures), { deadlineMs: job.deadlineMs }),
      };
  }
}

function livenessEvidence(
  { challenge, receivedAt }: { challenge: LivenessChallenge; receivedAt: number[] },
  pictures: readonly Uint8Array[],
): LivenessEvidence {
  const [selfie, ...frames] = pictures as [Uint8Array, ...Uint8Array[]];
  return {
    challenge,
    selfie,
    frames: frames.map((picture, nth) => ({ picture, receivedAt: receivedAt[nth] ?? 0 })),
  };
}
