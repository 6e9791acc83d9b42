import { canonicalJson } from '@constancia/kernel';
import type { SubjectKey } from '@constancia/personal-data';
import { trailEvent, type TrailEvent } from '../envelope-records/trail.ts';

/** A link of a trail without what is personal: what the public page shows of it. */
export type TrailLink = Pick<TrailEvent, 'seq' | 'type' | 'at' | 'role' | 'hash' | 'prev_hash'>;

/** What stands in a file as it is; anything else of an event is sealed. */
const CLEAR = [
  ...(['tenant_id', 'envelope_id', 'seq', 'type', 'at', 'signer_id', 'role', 'prev_hash', 'hash'] as const),
];

type ClearEvent = TrailLink & { tenant_id: string; envelope_id: string; signer_id: string | null };
interface PersonalPart {
  ip: string | null;
  user_agent: string | null;
  /** Canonical JSON. */
  data: string;
}
/** A row of envelope_event as `to_jsonb` writes it. */
export type EventRow = ClearEvent & PersonalPart;
/** `sealed`: base64. */
type SealedEvent = ClearEvent & { sealed: string };

const contextOf = ({ envelope_id, seq }: Pick<ClearEvent, 'envelope_id' | 'seq'>): string =>
  `envelope_event:${envelope_id}:${seq}:archived`;

/** The line of a file for a row of the database. */
export function sealedLine(key: SubjectKey, line: string): string {
  const row = JSON.parse(line) as EventRow;
  const isClear = ([name]: [string, unknown]) => (CLEAR as readonly string[]).includes(name);
  const members = Object.entries(row);
  const personal = Object.fromEntries(members.filter((member) => !isClear(member)));
  const sealed = key.seal(contextOf(row), personal).toString('base64');
  return canonicalJson({ ...Object.fromEntries(members.filter(isClear)), sealed });
}

/** The row that a line was made of; without what is personal, when its key was destroyed. */
export function openedRow(key: SubjectKey | null, line: string): EventRow {
  const { sealed, ...clear } = JSON.parse(line) as SealedEvent;
  const nothing: PersonalPart = { ip: null, user_agent: null, data: '{}' };
  const context = contextOf(clear);
  return { ...clear, ...(key ? key.open<PersonalPart>(context, Buffer.from(sealed, 'base64')) : nothing) };
}

/** As the trail shows it. */
export function archivedEvent(row: EventRow): TrailEvent {
  return trailEvent({ ...row, at: new Date(row.at) });
}

/** What the public page shows of a line. */
export function archivedLink(line: string): TrailLink {
  const { seq, type, at, role, hash, prev_hash } = JSON.parse(line) as SealedEvent;
  return { seq, type, at: new Date(at).toISOString(), role, hash, prev_hash };
}
