import { LOOK_ALIKES } from './look-alikes.ts';

const PLAIN = new Map(
  LOOK_ALIKES.flatMap(([plain, codePoints]) =>
    codePoints.split(' ').map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), plain] as const),
  ),
);

/** Characters that nobody sees: formats and variation selectors. */
const INVISIBLE = /[\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu;

const plainly = (name: string): string => [...name].map((character) => PLAIN.get(character) ?? character).join('');

/**
 * What a name looks like: NFKC, single blanks, and for each character the plain one that it can be taken for, before and after the
 * change to lower case.
 */
function skeleton(name: string): string {
  const seen = name.normalize('NFKC').replace(INVISIBLE, '').trim().replace(/\s+/g, ' ');
  return plainly(plainly(seen).toLowerCase().normalize('NFKC'));
}

/** In most fonts a capital i looks like a small L. */
const withoutCapitalI = (name: string): string => name.normalize('NFKC').replaceAll('I', 'l');

/**
 * Whether two names are, or look like, one person's: form, case, blanks and characters that are taken for others (the confusables of
 * UTS #39) do not make two people of one.
 */
export function sameActor(a: string, b: string): boolean {
  return skeleton(a) === skeleton(b) || skeleton(withoutCapitalI(a)) === skeleton(withoutCapitalI(b));
}

/** Who acts: the line that trails show, and the principal, which records of the former release lack. */
export interface ActingPerson {
  actor: string;
  by?: { kind: string; id: string } | undefined;
}

/** Whether two are, or may be, one person: of two members the ids tell, else the names. */
export function isSamePerson(a: ActingPerson, b: ActingPerson): boolean {
  if (a.by?.kind === 'member' && b.by?.kind === 'member') return a.by.id === b.by.id;
  return sameActor(a.actor, b.actor);
}
