import { PDFArray, PDFDict, PDFName, PDFRef, PDFStream } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';
import type { Page } from '../pages.ts';

/** Entries that lead out of what an object consists of. */
const BACK = new Set(['Parent', 'P', 'Pg', 'Dest', 'D', 'StructParent', 'Popup', 'IRT'].map((key) => PDFName.of(key)));
const MOST_STEPS = 2_000_000;

/** Where in the document an object stands, in words for who uploads it. */
export class Places {
  private readonly words = new Map<PDFObject, string>();
  private readonly numbers = new Map<PDFObject, number>();
  private readonly latest = new Map<number, PDFObject>();
  private steps = 0;

  constructor(
    private readonly document: PDFDocument,
    pages: readonly Page[],
  ) {
    for (const [ref, object] of document.context.enumerateIndirectObjects()) {
      this.numbers.set(object, ref.objectNumber);
      this.latest.set(ref.objectNumber, object);
    }
    const pageDicts = new Set<PDFObject>(pages.map(({ dict }) => dict));
    pages.forEach(({ dict }, nth) => this.words.set(dict, `page ${nth + 1}`));
    pages.forEach(({ dict }, nth) => {
      this.mark(dict.get(PDFName.of('Annots')), `an annotation on page ${nth + 1}`, pageDicts);
      this.mark(dict, `page ${nth + 1}`, pageDicts);
    });
    const catalog = this.catalog;
    if (!catalog) return;
    this.mark(catalog.get(PDFName.of('AcroForm')), 'the form', pageDicts);
    this.mark(catalog.get(PDFName.of('Outlines')), 'a bookmark', pageDicts);
    for (const key of ['OpenAction', 'AA', 'Names', 'AF', 'OCProperties', 'Perms'])
      this.mark(catalog.get(PDFName.of(key)), 'the document itself', pageDicts);
    this.words.set(catalog, 'the document itself');
  }

  get catalog(): PDFDict | undefined {
    const root = this.resolve(this.document.context.trailerInfo.Root);
    return root instanceof PDFDict ? root : undefined;
  }

  /** What a reference leads to, as a lenient reader sees it: of whatever generation. */
  resolve(value: PDFObject | undefined): PDFObject | undefined {
    if (!(value instanceof PDFRef)) return value;
    return this.document.context.lookup(value) ?? this.latest.get(value.objectNumber);
  }

  /** `page 2`, `an annotation on page 2 (object 14)`, `object 14`. `owner`: the indirect object that the finding is in. */
  wordsOf(owner: PDFObject): string {
    const [words, number] = [this.words.get(owner), this.numbers.get(owner)];
    if (words === undefined) return number === undefined ? 'the document' : `object ${number}`;
    return number === undefined || !words.startsWith('an ') ? words : `${words} (object ${number})`;
  }

  /** Names what hangs below a value. The first name stays. */
  private mark(value: PDFObject | undefined, words: string, pages: ReadonlySet<PDFObject>): void {
    const open = [value];
    while (open.length > 0 && this.steps++ < MOST_STEPS) {
      const top = open.pop();
      const object = this.resolve(top);
      if (!object) continue;
      if (top instanceof PDFRef || this.numbers.has(object)) {
        if (this.words.has(object) && this.words.get(object) !== words) continue;
        if (pages.has(object) && words.startsWith('an ')) continue;
        if (this.seen(object, words)) continue;
      }
      const dict = object instanceof PDFStream ? object.dict : object;
      if (dict instanceof PDFArray) open.push(...dict.asArray().slice(0, MOST_STEPS));
      else if (dict instanceof PDFDict)
        for (const [key, member] of dict.entries()) if (!BACK.has(key)) open.push(member);
    }
  }

  private readonly marked = new Set<PDFObject>();

  private seen(object: PDFObject, words: string): boolean {
    if (this.marked.has(object)) return true;
    this.marked.add(object);
    if (!this.words.has(object)) this.words.set(object, words);
    return false;
  }
}
