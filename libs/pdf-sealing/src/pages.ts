import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib';
import type { PDFDocument } from 'pdf-lib';
import { inheritedFrom, pageGeometry } from './page-geometry.ts';
import type { Inherited, PageGeometry } from './page-geometry.ts';
import { SealingFailure } from './sealing-failure.ts';

/** A page, and the array that names it at `index`. */
export class Page {
  constructor(
    readonly dict: PDFDict,
    readonly kids: PDFArray,
    readonly index: number,
    private readonly above: Above,
  ) {}

  /** undefined for a page that stands in /Kids itself, against the rules. */
  get ref(): PDFRef | undefined {
    const ref = this.kids.get(this.index);
    return ref instanceof PDFRef ? ref : undefined;
  }

  get inherited(): Inherited {
    return inheritedFrom(() => [this.dict, ...ancestors(this.above)]);
  }

  get geometry(): PageGeometry {
    return pageGeometry(this.inherited);
  }
}

/** A node of the page tree that is no page, and how many pages hang below it. */
export interface Branch {
  node: PDFDict;
  pages: number;
  /** Whether its /Count says the same. */
  readonly countIsTrue: boolean;
}

export interface PageTree {
  pages: Page[];
  branches: Branch[];
}

/** Nodes that are looked at, at most. A tree may name a node again and again, each time with all that hangs below. */
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
  const open: { node: PDFDict; above: Above | undefined; place?: { kids: PDFArray; index: number } }[] = [
    { node: tree, above: undefined },
  ];
  let looked = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, above, place } = next;
    if (++looked > MOST_NODES) throw new SealingFailure('too_complex', 'The document has too many pages.');
    const kids = node.lookup(PDFName.of('Kids'));
    if (!(kids instanceof PDFArray)) {
      if (!above || !place) continue;
      pages.push(new Page(node, place.kids, place.index, above));
      for (let branch: Above | undefined = above; branch; branch = branch.above) branch.pages++;
      continue;
    }
    if (ancestors(above).includes(node)) throw new SealingFailure('invalid_pdf', 'The page tree runs in a circle.');
    const here = branchBelow(node, above);
    branches.push(here);
    if (here.depth > DEEPEST) throw new SealingFailure('too_complex', 'The page tree is nested too deeply.');
    if (open.length + kids.size() > MOST_NODES)
      throw new SealingFailure('too_complex', 'The document has too many pages.');
    for (let index = kids.size() - 1; index >= 0; index--) {
      const kid = kids.lookup(index);
      if (kid instanceof PDFDict) open.push({ node: kid, above: here, place: { kids, index } });
    }
  }
  if (pages.length === 0) throw new SealingFailure('invalid_pdf', 'The document has no pages.');
  return { pages, branches };
}

function branchBelow(node: PDFDict, above: Above | undefined): Above {
  return {
    node,
    above,
    depth: (above?.depth ?? 0) + 1,
    pages: 0,
    get countIsTrue() {
      const count = node.lookup(PDFName.of('Count'));
      return count instanceof PDFNumber && count.asNumber() === this.pages;
    },
  };
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
