import { FollowedValue } from '@constancia/telemetry';
import { LossTolerantClient } from './client.ts';
import { driverError } from './errors.ts';

/** What a unit of work may take. */
export interface MeteredUnit {
  /** The longest that each of its statements may take. */
  statementTimeoutMs: number;
  /** It is over. */
  end(): void;
}

/** Learns how long the server works for something, such as a request. */
export interface StatementMeter {
  /** Before a unit of work as a tenant. Throws when it may not begin. */
  begin(): MeteredUnit;
  /** A statement took so long, from when it was sent until its rows were here. */
  add(ms: number): void;
}

const METERS = new FollowedValue<StatementMeter>();

/** Runs `work`; the meter learns of every statement that it sends, on any connection, and of those that follow from it. */
export function metered<T>(meter: StatementMeter, work: () => T): T {
  return METERS.run(meter, work);
}

/** The meter of what runs now. */
export function currentMeter(): StatementMeter | undefined {
  return METERS.get();
}

/** A connection that measures its statements where there is a meter, and remembers the errors that they failed with. */
export class MeteredClient extends LossTolerantClient {
  private readonly failures = new WeakSet<object>();

  /** Whether a statement on this connection failed with this error, or with the one that it wraps. */
  failedWith(error: unknown): boolean {
    const known = driverError(error);
    return known !== undefined && this.failures.has(known);
  }

  override query(...args: never[]): never {
    const answered = Reflect.apply(super.query, this, args) as unknown;
    if (!(answered instanceof Promise)) return answered as never;
    const meter = currentMeter();
    const began = performance.now();
    const add = () => meter?.add(performance.now() - began);
    answered.then(add, (error: object) => {
      this.failures.add(error);
      add();
    });
    return answered as never;
  }
}
