import type { HistoryName } from '@constancia/contracts';
import { NotFound } from '@constancia/problem-json';
import type { HistoryArchive } from './history-archive.ts';

/** The histories that a process archives. */
export class Histories {
  constructor(private readonly archives: readonly HistoryArchive[]) {}

  /** Throws NotFound when another process archives this one. */
  of(name: string): HistoryArchive {
    const found = this.archives.find((archive) => archive.name === name);
    if (found) return found;
    throw new NotFound(`This process archives ${this.names.join(' and ')}, not ${name}.`);
  }

  private get names(): HistoryName[] {
    return this.archives.map((archive) => archive.name);
  }
}
