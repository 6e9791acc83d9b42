import { RekognitionClient } from '@aws-sdk/client-rekognition';
import { TextractClient } from '@aws-sdk/client-textract';
import type { BiometricsConfig } from '../config.ts';
import { ChildEngines, processesOfThisMachine } from '../engines/child-engines.ts';
import { ChildLiveness } from '../engines/child-liveness.ts';
import { type EngineFinding, type EngineJob, type StepEngines, workOn } from '../engines/engine-job.ts';
import type { EnginePool } from '../engines/engine-pool.ts';
import { RekognitionFaces } from './rekognition-faces.ts';
import { TextractDocuments } from './textract-documents.ts';

// The SDK would tell the operator on stderr, at every start, to use a newer Node than the one that is supported here.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

const CLIENT = { maxAttempts: 3, requestHandler: { connectionTimeout: 2_000 } };

type RemoteConfig = Pick<BiometricsConfig, 'awsRegion' | 'remoteAtOnce' | 'processes' | 'memoryMb'>;

/**
 * Textract and Rekognition, by the SDK's own chain of credentials; liveness is judged by the engines of this machine (ADR 0115).
 */
export function remoteEngines(config: RemoteConfig): EnginePool {
  const local = new ChildEngines({
    processes: config.processes ?? processesOfThisMachine(),
    memoryMb: config.memoryMb,
  });
  const rekognition = new RekognitionClient({ region: config.awsRegion, ...CLIENT });
  const textract = new TextractClient({ region: config.awsRegion, ...CLIENT });
  const engines: StepEngines = {
    documents: new TextractDocuments(textract),
    faces: new RekognitionFaces(rekognition),
    liveness: new ChildLiveness(local),
  };
  return {
    concurrency: config.remoteAtOnce,
    start: () => local.start(),
    work: (job: EngineJob, pictures: readonly Uint8Array[]): Promise<EngineFinding> => workOn(job, pictures, engines),
    async close() {
      rekognition.destroy();
      textract.destroy();
      await local.close();
    },
  };
}
