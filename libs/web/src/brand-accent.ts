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

/** While the component is shown, the page has the tenant's colour as its accent, in the themes in which it can be read; null: none is known. */
export function useBrandAccent(color: string | null): void {
  useEffect(() => {
    if (color === null) return undefined;
    const { style } = document.documentElement;
    const themes = (['light', 'dark'] as const).filter((theme) => isReadableAccent(color, theme));
    for (const theme of themes) style.setProperty(`--brand-${theme}`, color);
    return () => {
      for (const theme of themes) style.removeProperty(`--brand-${theme}`);
    };
  }, [color]);
}
