/** The processes that answer operators. */
export const PROCESSES = ['platform', 'compliance', 'signing'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** Whose ops port knows how a thing came to be, by the prefix of its id. */
const PROCESS_OF: Readonly<Record<string, ProcessName>> = {
  sig: 'signing',
  env: 'signing',
  scr: 'compliance',
  cas: 'compliance',
  stp: 'compliance',
  fls: 'platform',
  sub: 'platform',
};

/** The process that knows the story of what an id names; undefined: there is none for this kind of id. */
export const processOfStory = (id: string): ProcessName | undefined =>
  /^[a-z]{3}_[0-7][0-9a-z]{25}$/.test(id) ? PROCESS_OF[id.slice(0, 3)] : undefined;

/** The other process that knows more about what an event is about; undefined: the platform's own trace has it all. */
export function processBesidePlatform(about: { id: string } | null): ProcessName | undefined {
  const process = about === null ? undefined : processOfStory(about.id);
  return process === 'platform' ? undefined : process;
}
