/** Something that happened, for who reads what became of a thing. */
export interface StoryLine {
  /** ISO 8601 UTC. */
  at: string;
  /** Which part of the service. */
  where: string;
  what: string;
  /** Ids, words and numbers; nothing personal. */
  detail: string;
}

/** In the order of time; what happened at one instant stays in the order given. */
export function timeline(lines: readonly StoryLine[]): StoryLine[] {
  return lines.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
