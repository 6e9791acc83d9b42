import { PDFArray, PDFDict, PDFName } from 'pdf-lib';
import type { PDFDocument } from 'pdf-lib';
import { inheritedFrom } from './page-geometry.ts';
import type { Inherited } from './page-geometry.ts';
import { SealingFailure } from './sealing-failure.ts';

export interface Page {
  dict: PDFDict;
  inherited: Inherited;
}

/** A node of the page tree that is no page, and how many pages hang below it. */
export interface Branch {
  node: PDFDict;
  pages: number;
}

export interface PageTree {
  pages: Page[];
  branches: Branch[];
}

/** Nodes that are looked at, at the most. A tree may name a node again and again, each time with all that hangs below. */
const MOST_NODES = 300_000;
const DEEPEST = 200;

/**
 * The page tree, its pages in order. Walks without recursion, and only what the tree really holds: /Count and /Type may lie. A node with /Kids is
 * a branch, every other dictionary a page. Throws SealingFailure invalid_pdf (no pages, a cycle) or too_complex.
 */
export function pageTree(document: PDFDocument): PageTree {
  const root = document.context.lookup(document.context.trailerInfo.Root);
  if (!(root instanceof PDFDict)) throw new SealingFailure('invalid_pdf', 'The document has no catalog.');
  const tree = root.lookup(PDFName.of('Pages'));
  if (!(tree instanceof PDFDict)) throw new SealingFailure('invalid_pdf', 'The document has no page tree.');

  const pages: Page[] = [];
  const branches: Branch[] = [];
  const open: { node: PDFDict; above: Above | undefined }[] = [{ node: tree, above: undefined }];
  let looked = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, above } = next;
    if (++looked > MOST_NODES) throw new SealingFailure('too_complex', 'The document has too many pages.');
    const kids = node.lookup(PDFName.of('Kids'));
    if (!(kids instanceof PDFArray)) {
      if (!above) continue;
      pages.push({ dict: node, inherited: inheritedFrom(() => [node, ...ancestors(above)]) });
      for (let branch: Above | undefined = above; branch; branch = branch.above) branch.pages++;
      continue;
    }
    if (ancestors(above).includes(node)) throw new SealingFailure('invalid_pdf', 'The page tree runs in a circle.');
    const here: Above = { node, above, depth: (above?.depth ?? 0) + 1, pages: 0 };
    branches.push(here);
    if (here.depth > DEEPEST) throw new SealingFailure('too_complex', 'The page tree is nested too deeply.');
    if (open.length + kids.size() > MOST_NODES)
      throw new SealingFailure('too_complex', 'The document has too many pages.');
    for (let index = kids.size() - 1; index >= 0; index--) {
      const kid = kids.lookup(index);
      if (kid instanceof PDFDict) open.push({ node: kid, above: here });
    }
  }
  if (pages.length === 0) throw new SealingFailure('invalid_pdf', 'The document has no pages.');
  return { pages, branches };
}

interface Above extends Branch {
  above: Above | undefined;
  depth: number;
}

function ancestors(above: Above | undefined): PDFDict[] {
  const chain: PDFDict[] = [];
  for (let next = above; next; next = next.above) chain.push(next.node);
  return chain;
}
