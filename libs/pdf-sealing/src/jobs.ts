import type { Placeholder } from './placeholder.ts';
import type { FailureCode } from './sealing-failure.ts';
import type { TemplateReport } from './template-report.ts';

/** What the pool asks of a child; the PDF is the frame's bytes. */
export type JobHead =
  | { job: 'inspect'; placeholders: Placeholder[] }
  | { job: 'fill'; placeholders: Placeholder[]; values: Record<string, string> };

/** What a child answers; a filled PDF is the frame's bytes. `ready` comes once, before any job. */
export type AnswerHead =
  | { answer: 'ready' }
  | { answer: 'report'; report: TemplateReport }
  | { answer: 'filled' }
  | { answer: 'failed'; code: FailureCode; sentence: string };
