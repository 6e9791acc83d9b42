import { ApiError } from '../../api/api-error.ts';

export interface LineRun<Line, Answer> {
  /** A repeated attempt is the same request. */
  send: (line: Line) => Promise<Answer>;
  onAnswer: (line: Line, answer: Answer) => void;
  /** The line was refused: the others go on. */
  onRefusal: (line: Line, refusal: ApiError) => void;
  /** The run ends at this line, which was sent and not answered; `failure`: of the last attempt. */
  onLeft?: (line: Line, failure: unknown) => void;
  /** Refusals that are about one line, beside those that are so in every run. */
  isOfOneLine?: (refusal: ApiError) => boolean;
  /** Aborted: nothing more is sent. What is under way is waited for. */
  pausing: AbortSignal;
}

/** Refusals that are about one line, and not about all that follow. */
const OF_ONE_LINE = [400, 409, 413, 422];
/** A longer one ends the run: it goes on when somebody wants it. */
const LONGEST_WAIT_S = 60;

/** Sends line after line. Throws what the next line would meet as well. */
export async function runLines<Line, Answer>(lines: readonly Line[], run: LineRun<Line, Answer>): Promise<void> {
  for (const line of lines) {
    if (run.pausing.aborted) return;
    await runOne(line, run);
  }
}

async function runOne<Line, Answer>(line: Line, run: LineRun<Line, Answer>): Promise<void> {
  let failure = await attempt(line, run);
  for (let seconds = waitOf(failure); seconds !== null; seconds = waitOf(failure)) {
    await wait(seconds, run.pausing);
    if (run.pausing.aborted) return run.onLeft?.(line, failure);
    failure = await attempt(line, run);
  }
  if (failure === null) return;
  if (failure instanceof ApiError && (OF_ONE_LINE.includes(failure.status) || run.isOfOneLine?.(failure) === true))
    return run.onRefusal(line, failure);
  run.onLeft?.(line, failure);
  throw failure;
}

/** null: it was answered. */
async function attempt<Line, Answer>(line: Line, { send, onAnswer }: LineRun<Line, Answer>): Promise<unknown> {
  let answer: Answer;
  try {
    answer = await send(line);
  } catch (failure) {
    return failure;
  }
  onAnswer(line, answer);
  return null;
}

/** Seconds until the same request may be accepted, or until the one with its key, which still runs, is answered; null: waiting is of no use. */
function waitOf(failure: unknown): number | null {
  if (!(failure instanceof ApiError)) return null;
  const seconds = failure.waitSeconds ?? 1;
  if (failure.slug === 'conflict') return Math.min(seconds, LONGEST_WAIT_S);
  return failure.status === 429 && seconds <= LONGEST_WAIT_S ? seconds : null;
}

/** Ends early when the run is paused. */
function wait(seconds: number, pausing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      pausing.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, 1000 * seconds);
    pausing.addEventListener('abort', end);
    if (pausing.aborted) end();
  });
}
