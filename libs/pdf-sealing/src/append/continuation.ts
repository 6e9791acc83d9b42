import { PDFDict, PDFName, PDFRef } from 'pdf-lib';
import type { EarlierSignatures } from '../earlier-signatures.ts';
import type { LoadedDocument } from '../load-document.ts';
import type { PageTree } from '../pages.ts';
import { SealingFailure } from '../sealing-failure.ts';
import type { CrossReference } from './cross-reference.ts';

/** A document that an update can follow. */
export type Continuable = LoadedDocument & { crossReference: CrossReference };

/** Whether an update can follow: what it replaces must be an object of its own, and found without guessing. */
export function isContinuable(loaded: LoadedDocument, { pages }: PageTree): loaded is Continuable {
  const { context } = loaded.document;
  const { Root } = context.trailerInfo;
  if (loaded.crossReference === undefined || !(Root instanceof PDFRef)) return false;
  return context.lookup(Root, PDFDict).get(PDFName.of('Pages')) instanceof PDFRef && pages.every(({ ref }) => ref);
}

/**
 * Whether a document is continued as it is; else it is rewritten first, since readers would have to guess at it. A signed one cannot be
 * rewritten, and one whose streams or counts lie is continued. Throws SealingFailure for one that can be neither.
 */
export function isContinued(
  loaded: LoadedDocument,
  tree: PageTree,
  { signed }: EarlierSignatures,
): loaded is Continuable {
  if (isContinuable(loaded, tree) && (signed || (loaded.lengthsAreTrue && countsAreTrue(tree)))) return true;
  if (!signed) return false;
  throw new SealingFailure(
    'invalid_pdf',
    'The document is signed and damaged: mending it would break its signatures. Ask for an undamaged copy.',
  );
}

/** Readers believe /Count, and show nothing when it lies. */
function countsAreTrue({ branches }: PageTree): boolean {
  return branches.every(({ countIsTrue }) => countIsTrue);
}

const PERMITTED = {
  1: 'its author permits no change at all',
  2: 'its author permits only that forms are filled in and that it is signed',
  3: 'its author permits only comments, and that forms are filled in and that it is signed',
} as const;

/**
 * Why a certified document cannot be changed so, as a sentence; undefined when it can. Such a change is not hindered by anything: it would
 * silently turn the certification invalid.
 */
export function forbiddenBy(
  { certified }: EarlierSignatures,
  change: { draws: boolean; signs: boolean },
): string | undefined {
  const permitted = !change.draws && (!change.signs || certified !== 1);
  if (!certified || permitted) return undefined;
  return `The document is certified, and ${PERMITTED[certified]}: changing it so would break the certification. Ask for a copy that is not certified.`;
}
