import type { SignField } from '../api/sign-state.ts';

/** The place to fill in after the present one: in the order of the pages, from the top; after the last one the first again. */
export function nextField(
  fields: readonly SignField[],
  presentKey: string | null,
  isEmpty: (field: SignField) => boolean,
): SignField | undefined {
  const ordered = [...fields].sort((a, b) => a.page - b.page || b.y - a.y || a.x - b.x);
  const present = ordered.findIndex(({ key }) => key === presentKey);
  const from = [...ordered.slice(present + 1), ...ordered.slice(0, present + 1)];
  return from.find((field) => field.key !== presentKey && isEmpty(field));
}
