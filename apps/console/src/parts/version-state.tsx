import { State } from '@constancia/web';

const KINDS = { draft: 'wait', published: 'good', deprecated: 'wait' } as const;
type Status = keyof typeof KINDS;

/** The state of something that has versions, such as a circuit. */
export const VersionState = ({ of: status, words }: { of: Status; words: Readonly<Record<Status, string>> }) => (
  <State kind={KINDS[status]}>{words[status]}</State>
);
