import type { components } from '@constancia/sdk/generated/compliance';
import { ApiError } from '../../api/api-error.ts';
import type { BatchRow } from './batch-rows.ts';

/** A line of the batch, and what came of it. Its key makes a repeated attempt the same screening. */
export interface BatchLine extends BatchRow, LineResult {
  key: string;
}

export interface LineResult {
  screening?: components['schemas']['ScreeningView'];
  /** The subject was refused: the others go on. */
  refusal?: unknown;
}

interface Screener {
  send: (line: BatchLine) => Promise<NonNullable<LineResult['screening']>>;
  onResult: (line: BatchLine, result: LineResult) => void;
  /** Aborted: nothing more is sent. */
  pausing: AbortSignal;
}

/** Answers that are about one subject, and not about all that follow. */
const OF_ONE_SUBJECT = [400, 409, 413, 422];
const LONGEST_WAIT_S = 60;

export const isDone = ({ screening, refusal }: LineResult): boolean => screening !== undefined || refusal !== undefined;

/** Screens line after line, those that are done left out. Throws what the next line would meet as well. */
export async function screenLines(lines: readonly BatchLine[], { send, onResult, pausing }: Screener): Promise<void> {
  for (const line of lines.filter((one) => !isDone(one))) {
    const result = await screenOne(line, send, pausing);
    if (result === null) return;
    onResult(line, result);
  }
}

/** null: paused before there was an answer about the subject. */
async function screenOne(line: BatchLine, send: Screener['send'], pausing: AbortSignal): Promise<LineResult | null> {
  while (!pausing.aborted) {
    try {
      return { screening: await send(line) };
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (isForLater(failure)) await wait(failure.waitSeconds ?? 1, pausing);
      else if (OF_ONE_SUBJECT.includes(failure.status)) return { refusal: failure };
      else throw failure;
    }
  }
  return null;
}

/** The rate limit; or a request with the same key that still runs, whose answer the next attempt gets. */
const isForLater = ({ status, slug }: ApiError): boolean => status === 429 || slug === 'conflict';

/** Ends early when the batch is paused. */
function wait(seconds: number, pausing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      pausing.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, 1000 * Math.min(seconds, LONGEST_WAIT_S));
    pausing.addEventListener('abort', end);
    if (pausing.aborted) end();
  });
}
