import { contrastOf, READABLE } from '@constancia/contracts/brand-color';
import { useEffect } from 'react';

/** What stands behind text in the accent colour, by theme, and what is written on a surface of it (foundation.css). */
const THEMES = {
  light: { surfaces: ['#f7f6f2', '#ffffff', '#e6f1ef'], onAccent: '#ffffff' },
  dark: { surfaces: ['#14181d', '#1d232a', '#17332f'], onAccent: '#06211e' },
} as const;
const PROPERTIES = ['--accent', '--accent-deep', '--on-accent'] as const;

/** The colours that replace the page's own; null where text in the colour, or on it, could not be read (WCAG 2.2, 1.4.3). */
export function brandAccent(
  color: string,
  theme: keyof typeof THEMES,
): Record<(typeof PROPERTIES)[number], string> | null {
  const { surfaces, onAccent } = THEMES[theme];
  if ([...surfaces, onAccent].some((other) => contrastOf(color, other) < READABLE)) return null;
  return { '--accent': color, '--accent-deep': color, '--on-accent': onAccent };
}

/** The page has the tenant's colour as its accent, in the themes in which it can be read; null: none is known. */
export function useBrandAccent(color: string | null): void {
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const { style } = document.documentElement;
    const apply = (): void => {
      const accent = color && brandAccent(color, dark.matches ? 'dark' : 'light');
      for (const name of PROPERTIES) {
        if (accent) style.setProperty(name, accent[name]);
        else style.removeProperty(name);
      }
    };
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, [color]);
}
