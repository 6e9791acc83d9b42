import { UnknownReference } from '@constancia/problem-json';

export function noPublished(code: string, and?: string): UnknownReference {
  return new UnknownReference(
    '/validation_code',
    `The code ${code} has no published validation${and ? `, ${and}` : ''}: create one, add rules, publish it.`,
  );
}
