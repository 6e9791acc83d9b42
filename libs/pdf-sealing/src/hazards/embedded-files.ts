import { PDFArray, PDFDict, PDFName, PDFNull, PDFStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';
import type { Finding } from './finding.ts';
import type { Places } from './places.ts';

const name = (text: string) => PDFName.of(text);

/** A file inside the document, by whatever leads to it: an annotation, the list of names, an associated file, the file itself. */
export function* embeddedFilesIn(object: PDFDict | PDFStream, owner: PDFObject, places: Places): Generator<Finding> {
  const dict = object instanceof PDFStream ? object.dict : object;
  const of = (key: string) => places.resolve(dict.get(name(key)));
  const isFile = object instanceof PDFStream && of('Type') === name('EmbeddedFile');
  const holdsFile = of('EF') instanceof PDFDict;
  const isAttachment = of('Subtype') === name('FileAttachment') && of('FS') !== undefined;
  const names = of('EmbeddedFiles');
  const listsFiles =
    names instanceof PDFDict && ['Names', 'Kids'].some((key) => isFilled(places.resolve(names.get(name(key)))));
  if (!isFile && !holdsFile && !isAttachment && !listsFiles) return;
  const detail = `A file is embedded in ${places.wordsOf(owner)}: nobody sees it who signs the pages. Remove it.`;
  yield { code: 'has_embedded_file', detail };
}

const isFilled = (value: PDFObject | undefined) =>
  value instanceof PDFArray && value.asArray().some((item) => item !== PDFNull);
