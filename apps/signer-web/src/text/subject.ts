import type { SignState } from '../api/sign-state.ts';
import type { Messages } from './messages.ts';

/** What the envelope is about, for people. */
export const subjectOf = ({ envelope }: SignState, text: Messages): string => envelope.subject ?? text.page.untitled;

/** The name of a file with this title, which every file system takes. */
export const fileName = (title: string): string =>
  `${title
    .replace(/[^\p{L}\p{M}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80)}.pdf`;
