/** Longer names are cut: some file systems take 255 bytes, and a letter may need four. */
const LONGEST = 50;

/**
 * The header of an answer that is a file, named after a title that people wrote (RFC 6266): `filename` in ASCII, `filename*` in full. What
 * is no letter, digit, space, hyphen or underscore is left out. `usual`: the name of a title that leaves nothing.
 */
export function contentDisposition(
  kind: 'inline' | 'attachment',
  { title, usual, ending }: { title: string | null; usual: string; ending: string },
): string {
  const name = safeName(title ?? '') || usual;
  const plain = safeName(name.normalize('NFD').replace(/\p{M}/gu, ''), /[^\w -]+/g) || usual;
  return `${kind}; filename="${plain}.${ending}"; filename*=UTF-8''${encodeURIComponent(`${name}.${ending}`)}`;
}

/** Cut between characters, not within one. */
const safeName = (title: string, unsafe = /[^\p{L}\p{M}\p{N} _-]+/gu): string =>
  [...title.toWellFormed().normalize('NFC').replace(unsafe, ' ').replace(/\s+/g, ' ').trim()]
    .slice(0, LONGEST)
    .join('')
    .trim();
