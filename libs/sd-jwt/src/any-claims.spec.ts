import type { Json } from '@constancia/kernel';
import type { JsonObject } from '@constancia/signed-jwt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pathKey } from './claim-paths.ts';
import type { ClaimPath } from './claim-paths.ts';
import { Parties } from './credentials.fixture.ts';
import { verifyCredential, verifyPresentation } from './verify-presentation.ts';

const parties = new Parties();
const RESERVED = new Set(['_sd', '...', '_sd_alg', '__proto__']);

/** Every place in a value, from the top on. */
function placesIn(value: Json, from: ClaimPath = []): ClaimPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const children: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return children.flatMap(([step, child]) => [[...from, step], ...placesIn(child, [...from, step])]);
}

const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 6 }), tie('tree'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const claims = fc
  .dictionary(fc.string({ minLength: 4, maxLength: 8 }), tree, { maxKeys: 5, noNullPrototype: true })
  .filter((each) => !placesIn(each).some((path) => path.some((step) => RESERVED.has(String(step)))))
  .filter((each) => placesIn(each).length <= 64);

/** Whether a place is around another, that one, or inside it. */
const isAncestorOrInside = (place: ClaimPath, other: ClaimPath): boolean =>
  pathKey(place.slice(0, other.length)) === pathKey(other.slice(0, place.length));

/** Names of the credential itself are shorter (iss, vct and others). */
const ownOf = (shown: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => name.length > 3));

/** What is left of a value without the places in `hidden`. */
function without(value: Json, hidden: ReadonlySet<string>, from: ClaimPath = []): Json {
  if (typeof value !== 'object' || value === null) return value;
  const isShown = (step: string | number) => !hidden.has(pathKey([...from, step]));
  if (Array.isArray(value))
    return [...value.entries()]
      .filter(([index]) => isShown(index))
      .map(([index, child]) => without(child, hidden, [...from, index]));
  const shown = Object.entries(value).filter(([name]) => isShown(name));
  return Object.fromEntries(shown.map(([name, child]) => [name, without(child, hidden, [...from, name])]));
}

/** Where a place stands when the elements in `hidden` are not there. */
const placeWithout = (place: ClaimPath, hidden: ReadonlySet<string>): ClaimPath =>
  place.map((step, depth) => {
    if (typeof step === 'string') return step;
    const before = Array.from({ length: step }, (_, index) => pathKey([...place.slice(0, depth), index]));
    return step - before.filter((key) => hidden.has(key)).length;
  });

it('any claims, hidden in any way, come out as they were; a presentation shows what is revealed of them and no more', async () => {
  await fc.assert(
    fc.asyncProperty(claims, fc.infiniteStream(fc.boolean()), async (given, coins) => {
      const someOf = (places: ClaimPath[]) => places.filter(() => coins.next().value as boolean);
      const disclosable = someOf(placesIn(given));
      const credential = await parties.issue({ claims: given, disclosable, decoys: 1 });
      const verified = await verifyCredential(credential, parties.expected());
      expect(ownOf(verified.claims)).toEqual(given);
      expect(verified.disclosed.map(pathKey).toSorted()).toEqual(disclosable.map(pathKey).toSorted());

      const reveal = someOf(someOf(placesIn(given)));
      const isShown = (place: ClaimPath) => reveal.some((revealed) => isAncestorOrInside(place, revealed));
      const hidden = new Set(disclosable.filter((place) => !isShown(place)).map(pathKey));
      const presentation = await parties.present(credential, { reveal });
      const seen = await verifyPresentation(presentation, parties.expected());
      const expected = disclosable.filter(isShown).map((place) => pathKey(placeWithout(place, hidden)));
      expect(seen.disclosed.map(pathKey).toSorted()).toEqual(expected.toSorted());
      expect(ownOf(seen.claims)).toEqual(without(given, hidden));
    }),
    { numRuns: 100 },
  );
});
