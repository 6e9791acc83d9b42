import type { Step } from '@constancia/operations';

/** What to type for a step. */
export function commandOf(step: Step): string {
  switch (step.do) {
    case 'resume':
      return `npm run ops -- endpoints resume ${step.id} --reason "…"`;
    case 'replay':
      return `npm run ops -- deliveries replay ${step.id} --reason "…"`;
    case 'show':
      return `npm run ops -- deliveries show ${step.id}`;
    case 'lag':
      return 'npm run ops -- lag';
  }
}
