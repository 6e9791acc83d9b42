import type { PlacedDrawing } from './drawing.ts';
import type { Placeholder } from './placeholder.ts';

/** Each value at its placeholder: black, on one line. A placeholder without a value has no drawing. */
export function valuesAt(
  placeholders: readonly Placeholder[],
  values: Readonly<Record<string, string>>,
): PlacedDrawing[] {
  const drawings: PlacedDrawing[] = [];
  for (const { key, page, x, y, size, max_width: maxWidth } of placeholders)
    if (Object.hasOwn(values, key))
      drawings.push({ kind: 'text', key, page, x, y, size, maxWidth, text: values[key] as string });
  return drawings;
}
