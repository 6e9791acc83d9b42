import type { SignState } from '../api/sign-state.ts';
import type { Messages } from './messages.ts';

/** What the envelope is about, for people. */
export const subjectOf = ({ envelope }: SignState, text: Messages): string => envelope.subject ?? text.page.untitled;
