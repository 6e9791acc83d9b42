import { PDFDict, PDFName, PDFNumber } from 'pdf-lib';
import type { LoadedDocument } from '../load-document.ts';
import type { PageTree } from '../pages.ts';

/** A damaged document rewritten, with a true page tree, so that it can be continued. Nothing else of it is changed. */
export async function rewritten(loaded: LoadedDocument, { pages, branches }: PageTree): Promise<Buffer> {
  const { document, usedObjectStreams } = loaded;
  const { context } = document;
  for (const { dict, ref, kids, index } of pages) if (!ref) kids.set(index, context.register(dict));
  for (const { node, pages: count, countIsTrue } of branches)
    if (!countIsTrue) node.set(PDFName.of('Count'), PDFNumber.of(count));
  const catalog = context.lookup(context.trailerInfo.Root, PDFDict);
  const tree = catalog.get(PDFName.of('Pages'));
  if (tree instanceof PDFDict) catalog.set(PDFName.of('Pages'), context.register(tree));
  const bytes = await document.save({
    useObjectStreams: usedObjectStreams,
    addDefaultPage: false,
    updateFieldAppearances: false,
    objectsPerTick: Infinity,
  });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
