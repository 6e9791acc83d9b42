import type { Backend, Stage } from '../stage.ts';
import type { Random } from '../random.ts';

/** What kinds of work run beside the usual ones. */
export interface Extra {
  /** Onboarding with real pictures, which the biometrics worker looks at. */
  faces?: boolean;
}

/** Something that goes wrong while the load runs. */
export interface Fault {
  name: string;
  /** What is done, as a sentence for the report. */
  what: string;
  /** Only with queues there. */
  only?: Backend;
  /** Needs the wall clock of the processes to be ours. */
  fakeClock?: true;
  /** Needs the server's data to be on a disk that can be filled. */
  smallData?: true;
  /** Needs a pooler between the processes and the store. */
  pooler?: true;
  extra?: Extra;
  /** Why it cannot be done here; undefined: it can. */
  impossible?(stage: Stage): string | undefined;
  /** What has to be there before the load begins. */
  prepare?(stage: Stage): Promise<void>;
  /** From which moment recovery counts: when it strikes (a kill, a wipe), or when it has passed. */
  countsFrom: 'strike' | 'heal';
  /** Seconds within which what waited at the strike must be done. */
  limitSeconds: number;
  /** Does the damage, lets it last, and heals it. Resolves when it is healed. `boost` adds so many times the usual load. */
  strike(stage: Stage, random: Random, boost: (times: number) => void): Promise<void>;
}
