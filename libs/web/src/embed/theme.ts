import { COLOR_SCHEMES, type EmbedTheme } from '@constancia/contracts/embed';

const DARK = /prefers-color-scheme: *dark/;
let rules: CSSMediaRule[] | undefined;

/** Shows the page as its theme says. What is no token of a theme is ignored. */
export function applyTheme({ color_scheme: scheme = 'auto' }: EmbedTheme): void {
  if (!COLOR_SCHEMES.includes(scheme)) return;
  rules ??= [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && DARK.test(rule.conditionText));
  const media = { auto: '(prefers-color-scheme: dark)', dark: 'all', light: 'not all' }[scheme];
  for (const rule of rules) rule.media.mediaText = media;
}
