import { Env, StoresConfig, withDataKeys, withObjectStore } from '@constancia/config';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

export const ENGINES = ['local', 'aws'] as const;

/** What the biometrics worker is configured with. */
export class BiometricsConfig extends withDataKeys(withObjectStore(StoresConfig)) {
  @Env('BIOMETRICS_ENGINE', {
    description: 'Who reads documents and compares faces: local (this machine) or aws (Textract and Rekognition)',
    default: 'local',
    type: 'string',
  })
  @IsIn(ENGINES)
  engine: (typeof ENGINES)[number];

  @Env('BIOMETRICS_PROCESSES', {
    description: 'Processes that work on pictures. Left out: one less than there are cores',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(64)
  processes?: number;

  @Env('BIOMETRICS_MEMORY_MB', { description: 'Memory that each of them may use', default: '1024' })
  @IsInt()
  @Min(256)
  memoryMb: number;

  @Env('BIOMETRICS_DEADLINE_MS', { description: 'Time that one attempt at a step may take', default: '15000' })
  @IsInt()
  @Min(500)
  @Max(60_000)
  deadlineMs: number;

  @Env('BIOMETRICS_REMOTE_AT_ONCE', {
    description: 'Steps that the services of AWS are asked about at a time',
    default: '8',
  })
  @IsInt()
  @Min(1)
  @Max(256)
  remoteAtOnce: number;
}
