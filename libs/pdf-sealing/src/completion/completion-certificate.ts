import type { AppendedPage } from '../drawing.ts';
import type { CompletionFacts } from './facts.ts';
import { headBlock } from './head-block.ts';
import { chainBlock, offlineBlock } from './proof-blocks.ts';
import { ACCENT, LINE, panel, Sheets, text, together } from './sheets.ts';
import type { Block, Written } from './sheets.ts';
import { signerBlock } from './signer-block.ts';
import { COMPLETION_TEXTS } from './texts.ts';

const LETTER = { width: 612, height: 792 };
const A4 = { width: 595, height: 842 };
const HEADING: Written = { size: 12, face: 'bold', colour: ACCENT };
const HEADING_PT = 24;

/**
 * The pages that follow a document which all have signed: who signed it, when, on what evidence, and how that is verified without the service.
 * No content of the certificate can stop the seal: what does not fit is cut, what cannot be drawn stands as U+FFFD.
 */
export function completionCertificate(facts: CompletionFacts): AppendedPage[] {
  const texts = COMPLETION_TEXTS[facts.locale];
  const signers = facts.signers.map((signer, nth) => signerBlock(signer, nth + 1, texts));
  const blocks = [
    headBlock(facts, texts),
    ...titled(texts.signers(signers.length), signers),
    // Of the two, the latter alone would leave a last page nearly empty.
    together([
      ...titled(texts.chain.title, [chainBlock(facts, texts)]),
      ...titled(texts.offline.title, [offlineBlock(facts, texts)]),
    ]),
  ];
  const sheets = new Sheets(paperOf(facts.page));
  for (const block of blocks) sheets.put(block);
  return sheets.finished(`${texts.title} · ${facts.envelopeId}`, texts.page);
}

/** A heading, which stays with the first of its blocks. */
function titled(title: string, [first, ...others]: Block[]): Block[] {
  const heading: Block = {
    height: HEADING_PT + (first?.height ?? 0),
    draw: (place) => [
      text(title, place, HEADING),
      panel({ ...place, top: place.top - 17 }, 0.75, LINE),
      ...(first?.draw({ ...place, top: place.top - HEADING_PT }) ?? []),
    ],
  };
  return [heading, ...others];
}

/** A4 for a document in the proportions of its family, else Letter: what Colombia prints on, as it does on Legal. */
function paperOf({ width, height }: { width: number; height: number }) {
  const proportion = Math.max(width, height) / Math.min(width, height);
  return Math.abs(proportion - Math.SQRT2) < 0.02 ? A4 : LETTER;
}
