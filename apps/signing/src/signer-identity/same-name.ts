/** Words between names that people leave out. */
const PARTICLES = new Set([
  'de',
  'del',
  'la',
  'las',
  'los',
  'el',
  'y',
  'e',
  'da',
  'do',
  'dos',
  'das',
  'di',
  'van',
  'von',
]);
/** As many names must be the same: a given name and a surname. */
const FEWEST = 2;

/**
 * Whether the name that the sender wrote is that of a document: every name of the shorter one is in the other, at least two of them, in any
 * order, without regard to accents, capitals and particles. A document may have more names than a sender writes, or fewer.
 */
export function isSameName(written: string, onDocument: string): boolean {
  const [a, b] = [namesOf(written), namesOf(onDocument)];
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  if (fewer.length < FEWEST) return false;
  const left = [...more];
  return fewer.every((name) => {
    const at = left.indexOf(name);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  });
}

function namesOf(name: string): string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !PARTICLES.has(word));
}
