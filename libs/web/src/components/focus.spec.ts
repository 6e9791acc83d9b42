import { describe, expect, it } from 'vitest';
import { showRefusal } from './focus.ts';

/** A part of a page in which only what is looked for is there; what is done with each element is noted. */
function part(found: Record<string, { details?: boolean }>) {
  const done: string[] = [];
  const querySelector = (selector: string) => {
    const element = found[selector];
    if (element === undefined) return null;
    const name = selector.includes('invalid') ? 'field' : 'notice';
    return {
      closest: () => (element.details ? { setAttribute: (what: string) => done.push(`details ${what}`) } : null),
      focus: () => done.push(`${name} focused`),
      scrollIntoView: () => done.push(`${name} in view`),
    };
  };
  return { done, shown: { querySelector } as unknown as ParentNode };
}

describe('a refused form', () => {
  it('moves the focus to its first invalid field, in view, also in closed details', () => {
    const { done, shown } = part({ '[aria-invalid="true"]': { details: true }, '[role="alert"]': {} });
    showRefusal(shown);
    expect(done).toEqual(['details open', 'field focused', 'field in view']);
  });

  it('shows the notice that says what is wrong where no field is at fault', () => {
    const { done, shown } = part({ '[role="alert"]': {} });
    showRefusal(shown);
    expect(done).toEqual(['notice in view']);
  });
});
