import type { Font, LineOfText } from '../line-of-text.ts';
import type { CheckedPicture } from '../picture.ts';
import type { Drawn } from './mark.ts';
import type { Workshop } from './workshop.ts';

const STEM: Record<Font, string> = {
  plain: 'SealHelv',
  bold: 'SealBold',
  signature: 'SealItal',
  fixed: 'SealCour',
  unicode: 'SealSans',
};

/** Names fonts and images in a page's resources, where each is used, beside the names that the page has. */
export class ResourceNames implements Drawn {
  private readonly known = new Map<Font | CheckedPicture, string>();
  private readonly given = new Set<string>();
  /** Entries for the page's /Font and /XObject. */
  fonts = '';
  images = '';

  constructor(
    private readonly taken: ReadonlySet<string>,
    private readonly workshop: Workshop,
  ) {}

  font({ font }: LineOfText): string {
    let name = this.known.get(font);
    if (name === undefined) {
      name = this.name(font, STEM[font]);
      this.fonts += `/${name} ${this.workshop.font(font)} `;
    }
    return name;
  }

  codes(line: LineOfText): string {
    return this.workshop.codes(line);
  }

  image(picture: CheckedPicture): string {
    let name = this.known.get(picture);
    if (name === undefined) {
      name = this.name(picture, 'SealImage');
      this.images += `/${name} ${this.workshop.image(picture)} `;
    }
    return name;
  }

  /** Names a form XObject that was written into the update. */
  form(number: number): string {
    const name = this.name(undefined, 'SealPage');
    this.images += `/${name} ${number} 0 R `;
    return name;
  }

  private name(what: Font | CheckedPicture | undefined, stem: string): string {
    let name = `${stem}-0`;
    for (let nth = 1; this.taken.has(name) || this.given.has(name); nth++) name = `${stem}-${nth}`;
    if (what) this.known.set(what, name);
    this.given.add(name);
    return name;
  }
}
