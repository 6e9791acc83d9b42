import type { ListEntry } from '../entry.ts';
import { addIdentifier, addOnce } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import { texts, type JsonObject } from './json-lines.ts';
import type { Reading } from './reading.ts';

interface Office {
  post: string;
  until?: string;
}

/** FollowTheMoney says in entities of their own why somebody is listed, which papers they hold, which office. */
export class FtmLinks {
  private readonly programmes = new Map<string, string[]>();
  private readonly papers = new Map<string, { type: string; number: string; country?: string }[]>();
  private readonly offices = new Map<string, Office[]>();
  private readonly posts = new Map<string, string>();

  constructor(private readonly reading: Reading) {}

  /** Keeps an entity that speaks of another one. False where it does not. */
  take(id: string, schema: string, properties: JsonObject): boolean {
    const [country] = texts(properties.country).map((code) => this.reading.country(code));
    if (schema === 'Sanction') {
      const programmes = texts(properties.programId);
      for (const entity of texts(properties.entity)) append(this.programmes, entity, ...programmes);
    } else if (schema === 'Passport' || schema === 'Identification') {
      const type = schema === 'Passport' ? 'PA' : identifierType(texts(properties.type)[0] ?? 'ID', country);
      const numbers = [...texts(properties.number), ...texts(properties.passportNumber)];
      const papers = numbers.map((number) => ({ type, number, country }));
      for (const holder of texts(properties.holder)) append(this.papers, holder, ...papers);
    } else if (schema === 'Occupancy') {
      const [post] = texts(properties.post);
      const until = texts(properties.endDate)[0];
      for (const holder of texts(properties.holder)) if (post) append(this.offices, holder, { post, until });
    } else if (schema === 'Position') {
      this.posts.set(id, texts(properties.name)[0] ?? '');
    } else return false;
    return true;
  }

  join(entry: ListEntry): void {
    for (const programme of this.programmes.get(entry.id) ?? []) addOnce(entry.programmes, programme);
    for (const paper of this.papers.get(entry.id) ?? []) addIdentifier(entry, paper.type, paper.number, paper.country);
    // An office that is still held counts before one that has ended, and of those the one that ended last.
    const [office] = (this.offices.get(entry.id) ?? []).sort((one, other) =>
      (other.until ?? '9999').localeCompare(one.until ?? '9999'),
    );
    const title = office && this.posts.get(office.post);
    if (title) entry.role = office.until ? { title, until: office.until } : { title };
  }
}

function append<Item>(map: Map<string, Item[]>, id: string, ...items: Item[]): void {
  map.set(id, [...(map.get(id) ?? []), ...items]);
}
