import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.ts';

/** Lets Nest write its own lines through our logger. Its start-up chatter is debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(text: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, textOf(text));
  }

  debug(text: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, textOf(text));
  }

  verbose(text: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: contextOf(rest) }, textOf(text));
  }

  warn(text: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: contextOf(rest) }, textOf(text));
  }

  error(text: unknown, ...rest: unknown[]): void {
    this.logger.error({ context: contextOf(rest), ...(text instanceof Error ? { err: text } : {}) }, textOf(text));
  }

  fatal(text: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ context: contextOf(rest), ...(text instanceof Error ? { err: text } : {}) }, textOf(text));
  }
}

/** For an app that closes: Nest logs what a shutdown hook throws and goes on with the others, so `failed` returns whether one did. */
export class ClosingLogger extends NestLogger {
  failed = false;

  override error(text: unknown, ...rest: unknown[]): void {
    this.failed = true;
    super.error(text, ...rest);
  }
}

function contextOf(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' && last.length < 80 ? last : undefined;
}

function textOf(text: unknown): string {
  if (text instanceof Error) return text.message;
  return typeof text === 'string' ? text : '';
}
