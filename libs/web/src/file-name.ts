/** The name of a PDF file with this title, which every file system takes. */
export const fileName = (title: string): string =>
  `${title
    .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)}.pdf`;
