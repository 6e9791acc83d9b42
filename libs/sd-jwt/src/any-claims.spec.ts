import type { Json } from '@constancia/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
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

it('any claims, hidden in any way, come out as they were; a presentation shows what is revealed of them and no more', async () => {
  await fc.assert(
    fc.asyncProperty(claims, fc.infiniteStream(fc.boolean()), async (given, coins) => {
      const isHidden = () => coins.next().value as boolean;
      const disclosable = placesIn(given).filter(isHidden);
      const credential = await parties.issue({ claims: given, disclosable, decoys: 1 });
      const verified = await verifyCredential(credential, parties.expected());
      expect(verified.claims).toMatchObject(given);
      expect(verified.disclosed.map(String).toSorted()).toEqual(disclosable.map(String).toSorted());

      const presentation = await parties.present(credential, { reveal: [] });
      const bare = await verifyPresentation(presentation, parties.expected());
      expect(bare.disclosed).toEqual([]);
      const hiddenAtTop = disclosable.filter(({ length }) => length === 1).map(([name]) => String(name));
      expect(Object.keys(bare.claims).filter((name) => hiddenAtTop.includes(name))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
