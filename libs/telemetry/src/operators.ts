import { createHash, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import { ConfigInvalid } from '@constancia/config';

/** What an operator may do: look; change something; give credits and make tenants. */
export const OPS_ROLES = ['read', 'act', 'grant'] as const;
export type OpsRole = (typeof OPS_ROLES)[number];

/** Who shows a token. */
export interface Operator {
  /** As the audit log has it. */
  name: string;
  roles: ReadonlySet<OpsRole>;
  /** The token is one person's own, so the name is who it is. */
  isPerson: boolean;
}

export interface OperatorsOptions {
  /** OPS_TOKENS_FILE; wins over `token`. */
  tokensFile?: string | undefined;
  /** OPS_TOKEN: one for everybody. */
  token?: string | undefined;
  logger?: { error(fields: object, message: string): void } | undefined;
}

interface Entry extends Operator {
  digest: Buffer;
}

/** Who holds the one token of OPS_TOKEN. */
export const SHARED_TOKEN = 'shared-token';
const LOOK_EVERY_MS = 1_000;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}[a-z0-9]$/;

/**
 * The operators of a process, by their tokens. The file is read again when it changed, so that a token which was taken out of it ends
 * within a second; a file that cannot be read any more leaves the last good one in place, and is logged.
 */
export class Operators {
  private entries: readonly Entry[];
  private version = '';
  private lookedAt = 0;

  /** @throws ConfigInvalid when the file is not as it must be */
  constructor(private readonly options: OperatorsOptions) {
    const { tokensFile, token } = options;
    this.entries =
      tokensFile !== undefined
        ? this.readFile(tokensFile)
        : token === undefined
          ? []
          : [{ digest: sha256(token), name: SHARED_TOKEN, roles: new Set(OPS_ROLES), isPerson: false }];
  }

  get any(): boolean {
    return this.entries.length > 0 || this.options.tokensFile !== undefined;
  }

  /** Whose token this is; undefined: nobody's. Takes as long for every token. */
  find(token: string): Operator | undefined {
    this.look();
    const digest = sha256(token);
    let found: Operator | undefined;
    for (const entry of this.entries) if (timingSafeEqual(entry.digest, digest)) found = entry;
    return found;
  }

  private look(): void {
    const { tokensFile, logger } = this.options;
    if (tokensFile === undefined || Date.now() - this.lookedAt < LOOK_EVERY_MS) return;
    try {
      if (versionOf(tokensFile) !== this.version) this.entries = this.readFile(tokensFile);
      this.lookedAt = Date.now();
    } catch (error) {
      this.lookedAt = Date.now();
      logger?.error({ err: error }, 'the operators’ tokens could not be read again: those read before still hold');
    }
  }

  private readFile(file: string): Entry[] {
    let text: string;
    try {
      this.version = versionOf(file);
      text = fs.readFileSync(file, 'utf8');
      this.lookedAt = Date.now();
    } catch (error) {
      throw new ConfigInvalid([`OPS_TOKENS_FILE cannot be read: ${(error as Error).message}`]);
    }
    return entriesOf(text);
  }
}

function versionOf(file: string): string {
  const { mtimeMs, size, ino } = fs.statSync(file);
  return `${mtimeMs} ${size} ${ino}`;
}

function entriesOf(text: string): Entry[] {
  const refuse = (what: string): never => {
    const like = '[{"name": "ana", "sha256": "<64 hexadecimal digits>", "roles": ["read", "act", "grant"]}]';
    throw new ConfigInvalid([`OPS_TOKENS_FILE ${what}: it must be a JSON list like ${like}`]);
  };
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return refuse('is no JSON');
  }
  if (!Array.isArray(list) || list.length === 0) return refuse('names nobody');
  const entries = list.map((one: unknown, nth) => entryOf(one) ?? refuse(`is wrong at entry ${nth + 1}`));
  const twice = (values: string[]) => new Set(values).size < values.length;
  if (twice(entries.map(({ name }) => name))) return refuse('has a name twice');
  if (twice(entries.map(({ digest }) => digest.toString('hex')))) return refuse('has one token for two people');
  return entries;
}

function entryOf(value: unknown): Entry | undefined {
  const { name, sha256: digest, roles } = (value ?? {}) as { name?: unknown; sha256?: unknown; roles?: unknown };
  if (typeof name !== 'string' || !NAME.test(name) || name === SHARED_TOKEN) return undefined;
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) return undefined;
  if (!Array.isArray(roles) || roles.length === 0) return undefined;
  const known = OPS_ROLES.filter((role) => roles.includes(role));
  if (known.length !== roles.length) return undefined;
  return { name, digest: Buffer.from(digest, 'hex'), roles: new Set(known), isPerson: true };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
