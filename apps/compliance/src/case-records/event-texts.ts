import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@constancia/kernel';
import type { SubjectKey } from '@constancia/personal-data';

/** Members of an event's data that people wrote, or that name somebody. */
const PERSONAL = ['body', 'reason', 'name'] as const;
const SALT_BYTES = 16;

/** What stands in the hashed data in place of the members that are sealed: they can go, and the chain still holds. */
export interface PersonalDigest {
  members: string[];
  /** SHA-256 (hex) of the 32 characters of the salt and the members as canonical JSON. */
  sha256: string;
}

/** Sealed separately, in the row of the event. */
interface SealedTexts {
  /** 16 random bytes, hex: nobody finds a text by trying. */
  salt: string;
  texts: Record<string, unknown>;
}

const contextOf = (caseId: string): string => `case_event:${caseId}`;

/** Data without the members that are personal, and these sealed; null when there are none. */
export function sealTexts(
  key: SubjectKey,
  caseId: string,
  data: Record<string, unknown>,
): { data: Record<string, unknown>; sealed: Buffer } | null {
  const members = PERSONAL.filter((member) => typeof data[member] === 'string').sort();
  if (members.length === 0) return null;
  const texts = Object.fromEntries(members.map((member) => [member, data[member]]));
  const rest = Object.fromEntries(Object.entries(data).filter(([member]) => !(member in texts)));
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const personal: PersonalDigest = { members, sha256: digestOf(salt, texts) };
  return { data: { ...rest, personal }, sealed: key.seal(contextOf(caseId), { salt, texts } satisfies SealedTexts) };
}

/**
 * Data as it is shown: with the sealed members, and the salt that lets anybody compute their digest. What was changed in the store is shown
 * without them, with an empty salt, which is that of no digest.
 */
export function openTexts(
  key: SubjectKey,
  caseId: string,
  data: Record<string, unknown>,
  sealed: Buffer,
): Record<string, unknown> {
  const digest = data.personal as PersonalDigest | undefined;
  if (!Array.isArray(digest?.members)) return { ...data, personal: { members: [], sha256: '', salt: '' } };
  try {
    const { salt, texts } = key.open<SealedTexts>(contextOf(caseId), sealed);
    return { ...data, ...texts, personal: { ...digest, salt } };
  } catch {
    return { ...data, personal: { ...digest, salt: '' } };
  }
}

/** What is hashed of data as it is shown; null when the shown members are not those of the digest. */
export function hashedData(shown: Record<string, unknown>): Record<string, unknown> | null {
  const { personal, ...rest } = shown as { personal?: PersonalDigest & { salt?: string } };
  if (personal?.salt === undefined) return shown;
  const { salt, ...digest } = personal;
  const isText = (member: string) => digest.members.includes(member);
  const texts = Object.fromEntries(Object.entries(rest).filter(([member]) => isText(member)));
  if (digestOf(salt, texts) !== digest.sha256) return null;
  const hashed = Object.fromEntries(Object.entries(rest).filter(([member]) => !isText(member)));
  return { ...hashed, personal: digest };
}

function digestOf(salt: string, texts: Record<string, unknown>): string {
  return createHash('sha256').update(salt).update(canonicalJson(texts)).digest('hex');
}
