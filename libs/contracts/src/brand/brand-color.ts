/** The backgrounds that pages show a brand's colour on: paper, and that of the dark theme (libs/web, foundation.css). */
const BACKGROUNDS = { white: '#ffffff', dark: '#14181d' } as const;
export type Background = keyof typeof BACKGROUNDS;
/** WCAG 2.2, success criterion 1.4.3: text of normal size. */
export const READABLE = 4.5;

/** What a page may do with a colour. */
export interface BrandColorUse {
  /** Where text in the colour can be read. A colour is readable on one of them at least. */
  readable_on: Background[];
  contrast: Record<Background, number>;
  /** The colour of text on a surface of this colour. */
  text_on_color: string;
}

/** Contrasts of a colour #rrggbb by WCAG 2.2, rounded down to hundredths. */
export function brandColorUse(color: string): BrandColorUse {
  const contrast = { white: contrastOf(color, BACKGROUNDS.white), dark: contrastOf(color, BACKGROUNDS.dark) };
  const readable = (Object.keys(BACKGROUNDS) as Background[]).filter((background) => contrast[background] >= READABLE);
  return {
    readable_on: readable,
    contrast,
    text_on_color: contrast.white >= contrast.dark ? BACKGROUNDS.white : BACKGROUNDS.dark,
  };
}

/** The contrast of two colours #rrggbb by WCAG 2.2, rounded down to hundredths. */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return Math.floor(((lighter + 0.05) / (darker + 0.05)) * 100) / 100;
}

/** Relative luminance of sRGB, 0 to 1. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
