import { contrastOf, READABLE } from '@constancia/contracts/brand-color';
import { useEffect } from 'react';

/** What stands behind text in the accent colour, by theme, and what is written on a surface of it (foundation.css). */
const THEMES = {
  light: ['#f7f6f2', '#ffffff', '#e6f1ef'],
  dark: ['#14181d', '#1d232a', '#17332f', '#06211e'],
} as const;
export type Theme = keyof typeof THEMES;

/** Whether text in the colour, and text on it, can be read in a theme (WCAG 2.2, 1.4.3). */
export const isReadableAccent = (color: string, theme: Theme): boolean =>
  THEMES[theme].every((other) => contrastOf(color, other) >= READABLE);

/** The page has the tenant's colour as its accent, in the themes in which it can be read; null: none is known. */
export function useBrandAccent(color: string | null): void {
  useEffect(() => {
    const { style } = document.documentElement;
    for (const theme of ['light', 'dark'] as const) {
      const name = `--brand-${theme}`;
      if (color !== null && isReadableAccent(color, theme)) style.setProperty(name, color);
      else style.removeProperty(name);
    }
  }, [color]);
}
