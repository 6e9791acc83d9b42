import { format } from 'node:util';
import { destination, pino, type DestinationStream, type LogFn, type Logger as PinoLogger } from 'pino';
import { allowedFields, describeError } from './log-fields.ts';
import { scrub } from './scrub.ts';
import { isoNow } from './time.ts';
import { traceFields } from './tracing.ts';

/** A pino logger that writes only allow-listed members (see allowedFields), and the token by which it is injected. */
export abstract class Logger {
  abstract level: string;
  abstract readonly trace: LogFn;
  abstract readonly debug: LogFn;
  abstract readonly info: LogFn;
  abstract readonly warn: LogFn;
  abstract readonly error: LogFn;
  abstract readonly fatal: LogFn;
  abstract isLevelEnabled(level: string): boolean;
  abstract child(bindings: object): Logger;
  abstract setBindings(bindings: object): void;
  abstract flush(): void;
}

export interface LoggerOptions {
  app: string;
  /** trace, debug, info, warn, error, fatal or silent. */
  level?: string;
  /** Left out: standard output, written in blocks at most 200 ms old. */
  stream?: DestinationStream;
}

const FLUSH_MS = 200;

/**
 * The logger of a process: JSON lines `{level, time, app, …, msg}`. Nested objects, buffers and members that are not on the
 * list are dropped by name; texts lose keys, tokens and mail addresses. So a careless call cannot leak a body.
 */
export function createLogger({ app, level = 'info', stream }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { app },
      timestamp: () => `,"time":"${isoNow()}"`,
      serializers: { err: (err: unknown) => err },
      mixin: traceFields,
      formatters: {
        level: (label) => ({ level: label }),
      },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as unknown[];
          if (first instanceof Error) {
            return method.apply(this, [{ err: describeError(first) }, message(rest) ?? scrub(first.message)] as never);
          }
          if (first !== null && typeof first === 'object') {
            return method.apply(this, [allowedFields(first), message(rest)] as never);
          }
          return method.apply(this, [message(args as unknown[])] as never);
        },
      },
    },
    stream ?? standardOutput(),
  );
  return filteringBindings(logger);
}

/** What a child is bound to goes by another way than what is logged; children inherit this child() in turn. */
function filteringBindings(logger: PinoLogger): PinoLogger {
  const { child, setBindings } = logger;
  logger.child = function (this: PinoLogger, bindings: object, options?: object) {
    return child.call(this, allowedFields(bindings), options as never);
  } as PinoLogger['child'];
  logger.setBindings = function (this: PinoLogger, bindings: object) {
    setBindings.call(this, allowedFields(bindings));
  };
  return logger;
}

/** Only texts and numbers are put into a message: an object there would be dumped whole. */
function message(parts: unknown[]): string | undefined {
  if (parts.length === 0 || parts[0] === undefined) return undefined;
  if (parts.length === 1 && typeof parts[0] === 'string') return scrub(parts[0]);
  return scrub(format(...parts.map((part) => (part instanceof Error ? part.message : shown(part)))));
}

function shown(part: unknown): unknown {
  return part !== null && typeof part === 'object' ? '[object]' : part;
}

function standardOutput(): DestinationStream {
  const output = destination({ fd: 1, sync: false, minLength: 8_192 });
  const write = output.write.bind(output);
  let flushing: NodeJS.Timeout | undefined;
  output.write = (line: string) => {
    flushing ??= setTimeout(() => {
      flushing = undefined;
      output.flush();
    }, FLUSH_MS).unref();
    return write(line);
  };
  return output;
}
