import { QUEUES } from '@constancia/contracts';
import type { QueueMessages, QueueName } from '@constancia/contracts';
import type { SecretBox } from '@constancia/kernel';
import type { Backend, Producer } from './backend.ts';
import { Consumer } from './consumer.ts';
import type { JobHandler } from './consumer.ts';
import { HintSender } from './hint-sender.ts';
import { PostgresBackend } from './postgres-backend.ts';
import type { QueueLogger } from './queue-logger.ts';
import { RedisBackend } from './redis-backend.ts';
import { SWEEP_JOB, Sweeps } from './sweeps.ts';

const SEALING_CONTEXT = 'queue-payload';
const DRAIN_MS = 25_000;

export interface QueuesOptions {
  /** The app's name, as in QUEUES[…].consumer. */
  app: string;
  /** redis:// or rediss://. When it is absent, databaseUrl is used. */
  redisUrl?: string;
  /** A role that owns the tables of schema `queue` (see migrateQueue). */
  databaseUrl?: string;
  sealingKey: SecretBox;
  logger: QueueLogger;
  /** Called with the number of hints that could not be sent, for a metric. */
  onHintLost?: (name: QueueName, count: number) => void;
  /** What running handlers get at the end of the process. Default: 25 s. */
  drainMs?: number;
}

/** What runs when a sweep is due. */
type SweepWork = (signal: AbortSignal) => Promise<void>;

/**
 * Queues that carry hints: everything in them may be lost at any time, and the consumers' sweeps find the work in Postgres.
 * Works on Redis or, without one, on BullMQ's PostgreSQL backend; survives the loss and the return of either.
 */
export class Queues {
  private readonly backend: Backend;
  private readonly hints: HintSender;
  private readonly sweeps: Sweeps;
  private readonly consumers = new Map<QueueName, Consumer>();
  private readonly sweepWork = new Map<QueueName, SweepWork>();
  private opening: Promise<Producer> | undefined;
  private draining: Promise<unknown> | undefined;
  private closing: Promise<void> | undefined;

  constructor(private readonly options: QueuesOptions) {
    const { redisUrl, databaseUrl, app, logger } = options;
    if (redisUrl) this.backend = new RedisBackend(redisUrl, app);
    else if (databaseUrl) this.backend = new PostgresBackend(databaseUrl, app);
    else throw new Error('queues need REDIS_URL or QUEUE_DATABASE_URL');
    this.hints = new HintSender(this.producer, logger, options.onHintLost ?? (() => undefined));
    this.sweeps = new Sweeps(this.producer, logger);
  }

  /** Which store carries the hints. */
  get kind(): 'redis' | 'postgres' {
    return this.backend.kind;
  }

  /** Hints that could not be sent since the start of the process. */
  get lostHints(): number {
    return this.hints.lost;
  }

  /**
   * Tells the consumer that there is work. Never throws and never makes the caller wait. Hints with the same id that wait
   * become one; while one runs, exactly one more run follows it.
   */
  hint<N extends QueueName>(name: N, message: QueueMessages[N], dedupId: string): void {
    this.hints.add(name, { message, dedupId });
  }

  /**
   * Declares the consumer of a queue, which opens with start() and runs the handler for each hint. Throws at once when the queue
   * belongs to another app or has a consumer already. What a handler throws is logged, and never retried here. The signal aborts
   * when the process ends and the time to drain is over.
   */
  addConsumer(name: QueueName, handler: JobHandler, { concurrency }: { concurrency: number }): void {
    this.mustOwn(name);
    if (this.consumers.has(name)) throw new Error(`the queue ${name} has a consumer already`);
    const run: JobHandler = async (job, signal) => {
      const sweep = job.name === SWEEP_JOB ? this.sweepWork.get(name) : undefined;
      await (sweep ? sweep(signal) : handler(job, signal));
    };
    this.consumers.set(name, new Consumer(this.backend, name, run, concurrency, this.options.logger));
  }

  /** Starts to consume. Throws when a queue of this app has no consumer. */
  start(): void {
    const own = (Object.keys(QUEUES) as QueueName[]).filter((name) => QUEUES[name].consumer === this.options.app);
    const missing = own.filter((name) => !this.consumers.has(name));
    if (missing.length > 0) {
      const help = 'a @Processor in the providers of a module that the app imports';
      throw new Error(`${this.options.app} has no consumer for: ${missing.join(', ')} (${help})`);
    }
    for (const consumer of this.consumers.values()) consumer.start();
  }

  /**
   * Runs the sweep of a queue at a fixed interval, once for all processes of the app. The schedule is put back within seconds when the
   * queue was wiped. Needs a consumer of the same queue; two runs of a slow sweep may overlap.
   */
  every(name: QueueName, everyMs: number, work: SweepWork): void {
    this.mustOwn(name);
    this.sweepWork.set(name, work);
    this.sweeps.add({ name, everyMs });
  }

  /** Seals a payload that must cross a queue (personal data never does in the clear). AES-256-GCM, base64url. */
  seal(payload: unknown): string {
    return this.options.sealingKey.seal(JSON.stringify(payload), SEALING_CONTEXT).toString('base64url');
  }

  /** Opens what seal() made. Throws when it was altered or sealed with an unknown key. */
  open(text: string): unknown {
    return JSON.parse(this.options.sealingKey.open(Buffer.from(text, 'base64url'), SEALING_CONTEXT).toString('utf8'));
  }

  /** Jobs by state, for a gauge. Throws when the store is unavailable. */
  async depth(name: QueueName): Promise<{ waiting: number; active: number; delayed: number; failed: number }> {
    const queue = (await this.producer()).queue(name);
    const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
    const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
    return { waiting: waiting + prioritized, active, delayed, failed };
  }

  /** The queues that this process consumes. */
  get consumed(): QueueName[] {
    return [...this.consumers.keys()];
  }

  /** Seconds that the job has waited whose turn it has been for longest; 0 when none waits. Throws when the store is unavailable. */
  async oldestWaitingSeconds(name: QueueName): Promise<number> {
    const queue = (await this.producer()).queue(name);
    const first = await queue.getJobs(['waiting', 'prioritized'], 0, 0, true);
    // A sweep waits for its time first, which is no lag.
    const since = first.map((job) => (job as typeof job | undefined) && job.timestamp + (job.opts.delay ?? 0));
    const oldest = Math.min(Date.now(), ...since.filter((at) => at !== undefined));
    return (Date.now() - oldest) / 1_000;
  }

  /** Resolves when the store answers; throws when it is unavailable. */
  async ping(): Promise<void> {
    await (await this.producer()).ping();
  }

  /** Takes no more work and lets running handlers end, aborting their signal after drainMs. Hints still go out. */
  drain({ drainMs = this.options.drainMs ?? DRAIN_MS }: { drainMs?: number } = {}): Promise<void> {
    const consumers = [...this.consumers.values()];
    this.draining ??= Promise.all([this.sweeps.close(), ...consumers.map((consumer) => consumer.close(drainMs))]);
    return this.draining.then(() => undefined);
  }

  /** Drains, sends the hints that wait, disconnects. */
  close(options?: { drainMs?: number }): Promise<void> {
    this.closing ??= (async () => {
      await this.drain(options);
      await this.hints.close();
      const producer = await this.opening?.catch(() => undefined);
      await producer?.close().catch(() => undefined);
    })();
    return this.closing;
  }

  /** The shared producing connection. A failed opening is forgotten, so the next caller tries again. */
  private readonly producer = (): Promise<Producer> => {
    const opening = this.opening ?? this.backend.openProducer();
    if (opening !== this.opening) {
      this.opening = opening;
      opening.catch(() => (this.opening = undefined));
    }
    return opening;
  };

  private mustOwn(name: QueueName): void {
    const declared = QUEUES[name] as { consumer: string } | undefined;
    if (!declared) throw new Error(`there is no queue ${name}`);
    if (declared.consumer !== this.options.app) {
      throw new Error(`the queue ${name} is consumed by ${declared.consumer}, not by ${this.options.app}`);
    }
  }
}
