import { SaxesParser } from 'saxes';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import type { Reading } from './reading.ts';

/** One element of an XML file with all that it holds. Names are without their namespace prefix. */
export class XmlElement {
  readonly children: XmlElement[] = [];
  /** Its own text, without that of its children. */
  text = '';

  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
  ) {}

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  first(...path: string[]): XmlElement | undefined {
    return path.reduce<XmlElement | undefined>(
      (element, name) => element?.children.find((child) => child.name === name),
      this,
    );
  }

  /** Trimmed text at the end of a path of first children; empty where there is none. */
  textOf(...path: string[]): string {
    return (
      this.first(...path)
        ?.text.replace(/\s+/g, ' ')
        .trim() ?? ''
    );
  }

  /** A trimmed attribute; empty where there is none. */
  attribute(name: string): string {
    return this.attributes[name]?.trim() ?? '';
  }
}

export interface XmlShape {
  /** Name of the root element; another one is the wrong file. */
  root: string;
  /** Elements that are handed out whole, wherever they stand; nothing else is kept. */
  records: ReadonlySet<string>;
  /** Called with the root's attributes. */
  onRoot?(root: XmlElement): void;
}

/**
 * Streams the record elements of an XML file; memory holds one of them at a time. A document type is refused, so no entity
 * of the file's own is ever expanded or fetched. Throws ListFileProblem wrong_format, wrong_encoding, forbidden_xml,
 * truncated, malformed, too_large.
 */
export async function* xmlElements(reading: Reading, file: ListFile, shape: XmlShape): AsyncGenerator<XmlElement> {
  const records = new RecordCollector(reading, file, shape);
  for await (const text of reading.text(file)) yield* records.write(text);
  records.end();
}

class RecordCollector {
  private readonly parser = new SaxesParser({ position: true });
  private readonly open: XmlElement[] = [];
  private ready: XmlElement[] = [];
  private depth = 0;
  private rootClosed = false;
  /** Characters since the parser last reported anything, and those of the record that is being collected. */
  private silent = 0;
  private size = 0;

  constructor(
    private readonly reading: Reading,
    private readonly file: ListFile,
    private readonly shape: XmlShape,
  ) {
    this.parser.on('xmldecl', ({ encoding }) => {
      if (encoding && !/^(utf-?8|us-ascii)$/i.test(encoding)) {
        this.refuse('wrong_encoding', `The file says that it is ${encoding}. Save it as UTF-8 and import it again.`);
      }
    });
    this.parser.on('doctype', () => this.refuseDoctype());
    this.parser.on('opentag', (tag) => this.opened(localName(tag.name), tag.attributes as Record<string, string>));
    this.parser.on('closetag', () => this.closed());
    this.parser.on('text', (text) => this.texted(text));
    this.parser.on('cdata', (text) => this.texted(text));
    this.parser.on('error', (error) => this.refuse('malformed', `The file is not XML: ${error.message}.`));
  }

  write(text: string): XmlElement[] {
    this.silent += text.length;
    this.parser.write(text);
    if (Math.max(this.silent, this.size) > this.reading.limits.maxRecordCharacters) {
      this.refuse('too_large', 'One element is larger than any list has. Check that the file is a list.');
    }
    const ready = this.ready;
    this.ready = [];
    return ready;
  }

  end(): void {
    if (this.rootClosed) return void this.parser.close();
    // Before the root there may have been nothing but blanks: that file is not cut, it is another one.
    if (this.depth === 0) this.refuse('wrong_format', 'The file holds no XML element. Check that it is the list.');
    this.refuse('truncated', `The file ends before </${this.shape.root}>: it was cut. Download it again.`);
  }

  private opened(name: string, attributes: Record<string, string>): void {
    this.silent = 0;
    this.depth += 1;
    if (this.depth > this.reading.limits.maxDepth) {
      this.refuse('too_large', `Elements are nested deeper than ${this.reading.limits.maxDepth}.`);
    }
    const element = new XmlElement(name, attributes);
    if (this.depth === 1) this.rooted(element);
    const parent = this.open.at(-1);
    if (parent) {
      parent.children.push(element);
      this.size += name.length;
      for (const key in attributes) this.size += attributes[key]?.length ?? 0;
    }
    if (parent || this.shape.records.has(name)) this.open.push(element);
  }

  private rooted(root: XmlElement): void {
    if (root.name !== this.shape.root) {
      this.refuse('wrong_format', `The root element is <${root.name}>, not <${this.shape.root}>. Check the format.`);
    }
    this.shape.onRoot?.(root);
  }

  private closed(): void {
    this.silent = 0;
    this.depth -= 1;
    if (this.depth === 0) this.rootClosed = true;
    const element = this.open.pop();
    if (!element || this.open.length > 0) return;
    this.ready.push(element);
    this.size = 0;
  }

  private texted(text: string): void {
    this.silent = 0;
    const element = this.open.at(-1);
    if (!element) return;
    element.text += text;
    this.size += text.length;
  }

  private refuseDoctype(): never {
    this.refuse(
      'forbidden_xml',
      'The file declares a document type (DOCTYPE), through which entities can be smuggled in. No published list has one: get the file from its publisher.',
    );
  }

  private refuse(code: ConstructorParameters<typeof ListFileProblem>[0], detail: string): never {
    throw new ListFileProblem(code, detail, { file: this.file.name, line: this.parser.line });
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
