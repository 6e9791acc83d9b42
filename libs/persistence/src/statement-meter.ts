import { FollowedValue } from '@constancia/telemetry';
import { LossTolerantClient } from './client.ts';

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

/** A connection whose statements are measured where there is a meter. */
export class MeteredClient extends LossTolerantClient {
  override query(...args: never[]): never {
    const answered = Reflect.apply(super.query, this, args) as unknown;
    const meter = currentMeter();
    if (meter !== undefined && answered instanceof Promise) {
      const began = performance.now();
      const add = () => meter.add(performance.now() - began);
      answered.then(add, add);
    }
    return answered as never;
  }
}
