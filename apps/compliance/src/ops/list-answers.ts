import { answer } from '@constancia/http';

const { instant, list, map, number, object, orNull, text, whole, any } = answer;

export const LISTS = object({
  data: list(
    object({
      list: text,
      version: text,
      entries: whole,
      sha256: text,
      imported_at: instant,
      published_at: orNull(instant),
    }),
  ),
  missing: list(text),
  stale: list(text),
});

export const LAID_DOWN = object({ list: text, name: text, bytes: whole });
export const NONE_LEFT = object({ list: text, files: list(text) });

export const IMPORTED = {
  anyOf: [
    object({
      outcome: { const: 'activated' },
      list: text,
      version: text,
      size: object({ entries: whole, kinds: map(whole) }),
      names: whole,
      aliases: whole,
      changes: map(number),
      warnings: list(any),
      publishedAt: orNull(text),
    }),
    object({ outcome: { const: 'unchanged' }, list: text, version: text }),
  ],
};

/** What is wrong, with the place in the files where there is one. */
export const REFUSED_FILES = {
  ...object({ outcome: { const: 'refused' }, list: text, code: text, detail: text }),
  additionalProperties: true,
};
