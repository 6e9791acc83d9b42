import { createHash, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import { ConfigInvalid } from '@constancia/config';

/** What an operator may do: read; change something; grant credits and create tenants. */
export const OPS_ROLES = ['read', 'act', 'grant'] as const;
export type OpsRole = (typeof OPS_ROLES)[number];

/** The holder of a token. */
export interface Operator {
  /** As recorded in the audit log. */
  name: string;
  roles: ReadonlySet<OpsRole>;
  /** The token belongs to one person, so the name identifies them. */
  isPerson: boolean;
}

export interface OperatorsOptions {
  /** OPS_TOKENS_FILE; wins over `token`. */
  tokensFile?: string | undefined;
  /** OPS_TOKEN: one token that all operators share. */
  token?: string | undefined;
  logger?: { error(fields: object, message: string): void } | undefined;
}

/** Who makes a request on the ops port. The name is that of the token; with OPS_TOKEN in a sandbox, that of X-Operator. */
export type OpsCaller = Operator;

interface Entry extends Operator {
  digest: Buffer;
}

/** The name of every caller that uses OPS_TOKEN. */
const SHARED_TOKEN = 'shared-token';
const CHECK_EVERY_MS = 1_000;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}[a-z0-9]$/;

/**
 * The operators of a process, by their tokens. The file is read again after a change, so that a token that was removed from it is
 * refused within a second; an empty list removes all of them. While the file is missing or invalid, the tokens read last remain valid and
 * an error is logged.
 */
export class Operators {
  private entries: readonly Entry[];
  private version = '';
  private checkedAt = -Infinity;

  /** @throws ConfigInvalid when the file cannot be read, is invalid or lists nobody */
  constructor(private readonly options: OperatorsOptions) {
    const { tokensFile, token } = options;
    this.entries =
      tokensFile !== undefined
        ? this.readFile(tokensFile)
        : token === undefined
          ? []
          : [{ digest: sha256(token), name: SHARED_TOKEN, roles: new Set(OPS_ROLES), isPerson: false }];
    if (tokensFile !== undefined && this.entries.length === 0) throw invalid('lists nobody');
  }

  get any(): boolean {
    return this.entries.length > 0 || this.options.tokensFile !== undefined;
  }

  /** The operator with this token, or undefined. Takes the same time for every token. */
  find(token: string): Operator | undefined {
    this.reloadIfChanged();
    const digest = sha256(token);
    let found: Operator | undefined;
    for (const entry of this.entries) if (timingSafeEqual(entry.digest, digest)) found = entry;
    return found;
  }

  private reloadIfChanged(): void {
    const { tokensFile, logger } = this.options;
    if (tokensFile === undefined || performance.now() - this.checkedAt < CHECK_EVERY_MS) return;
    this.checkedAt = performance.now();
    try {
      if (versionOf(tokensFile) !== this.version) this.entries = this.readFile(tokensFile);
    } catch (error) {
      logger?.error({ err: error }, 'the operators’ tokens could not be reloaded: those read before remain valid');
    }
  }

  private readFile(file: string): Entry[] {
    let text: string;
    try {
      const version = versionOf(file); // before the text: a change in between is noticed next time
      text = fs.readFileSync(file, 'utf8');
      this.version = version; // only once it was read: what could not be read is tried again
    } catch (error) {
      throw new ConfigInvalid([`OPS_TOKENS_FILE cannot be read: ${(error as Error).message}`]);
    }
    return entriesOf(text);
  }
}

function versionOf(file: string): string {
  const { ctimeMs, mtimeMs, size, ino } = fs.statSync(file);
  return `${ctimeMs} ${mtimeMs} ${size} ${ino}`; // ctime: a copy may keep the modification time
}

function invalid(what: string): ConfigInvalid {
  const example = '[{"name": "ana", "sha256": "<64 hexadecimal digits>", "roles": ["read", "act", "grant"]}]';
  return new ConfigInvalid([`OPS_TOKENS_FILE ${what}: it must be a JSON list like ${example}`]);
}

function entriesOf(text: string): Entry[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw invalid('is not JSON');
  }
  if (!Array.isArray(list)) throw invalid('is not a list');
  const entries = list.map((one: unknown, index) => {
    const entry = entryOf(one);
    if (entry === undefined) throw invalid(`is wrong at entry ${index + 1}`);
    return entry;
  });
  if (hasDuplicates(entries.map(({ name }) => name))) throw invalid('has the same name twice');
  if (hasDuplicates(entries.map(({ digest }) => digest.toString('hex')))) throw invalid('has one token for two people');
  return entries;
}

const hasDuplicates = (values: readonly string[]): boolean => new Set(values).size < values.length;

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
