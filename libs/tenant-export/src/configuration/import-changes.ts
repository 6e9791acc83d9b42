import { canonicalJson } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { OpenedConfiguration } from './configuration-files.ts';
import type {
  AppliedChange,
  ConfigurationChange,
  ConfigurationContent,
  ConfigurationKind,
} from './configuration-kind.ts';
import { differences } from './differences.ts';
import type { ConfigurationChangeView, ImportAction } from './import-view.ts';

/** A change of an object, and what came of it. */
export interface KnownChange extends ConfigurationChange {
  kind: ConfigurationKind;
  secret?: string;
}

/** What an import does to the objects of a kind. */
export async function planOf(
  tx: Tx,
  kind: ConfigurationKind,
  wanted: Map<string, ConfigurationContent>,
): Promise<KnownChange[]> {
  const current = await kind.current(tx);
  const changes = [...wanted].map(([name, after]): KnownChange => ({ kind, name, before: current.get(name), after }));
  await kind.review?.(tx, changes.filter(differs));
  return changes;
}

const differs = ({ before, after }: ConfigurationChange): boolean =>
  before === undefined || canonicalJson(before) !== canonicalJson(after);

export const isApplied = (change: KnownChange): boolean =>
  differs(change) && change.conflict === undefined && !change.isWaiting;

/** Throws ValidationError with everything for which the changes cannot be made. */
export async function requirePrepared(
  changes: KnownChange[],
  { files }: OpenedConfiguration,
  host: string,
): Promise<void> {
  const errors: FieldError[] = [];
  for (const change of changes.filter(isApplied)) {
    const found = (await change.kind.prepare?.(change, files)) ?? [];
    errors.push(...found.map((one) => atFile(one, `/${fileOf(change, host)}`)));
  }
  if (errors.length > 0) throw new ValidationError(errors);
}

/** Makes the changes; answers what the audit log says of each, undefined where it says nothing more. */
export async function applied(tx: Tx, plan: KnownChange[]): Promise<AppliedChange['audit'][]> {
  const audits: AppliedChange['audit'][] = [];
  for (const change of plan.filter(isApplied)) {
    const { audit, secret } = await change.kind.apply(tx, change);
    audits.push(audit);
    if (secret !== undefined) change.secret = secret;
  }
  return audits;
}

export const fileOf = ({ kind, name }: KnownChange, host: string): string => `${host}/${kind.folder}/${name}.json`;

/** A pointer into a file begins with the file. */
export const atFile = (error: FieldError, file: string): FieldError =>
  error.pointer.startsWith(file) ? error : { ...error, pointer: `${file}${error.pointer}` };

/** A change as the API shows it. */
export function viewOf(change: KnownChange, host: string, { paths }: OpenedConfiguration): ConfigurationChangeView {
  const { kind, before, after, conflict, note, secret } = change;
  const references = (kind.references?.(after) ?? []).slice(0, 100);
  return {
    file: fileOf(change, host),
    action: actionOf(change),
    detail: (conflict ?? note)?.slice(0, 500) ?? null,
    differences: before === undefined ? [] : differences(before, after),
    references: references.map(({ pointer, file }) => ({ pointer, file, in_archive: paths.has(file) })),
    ...(secret !== undefined && { secret }),
  };
}

function actionOf(change: KnownChange): ImportAction {
  if (!differs(change)) return 'unchanged';
  if (change.conflict !== undefined) return 'conflict';
  if (change.isWaiting) return 'waiting';
  return change.before === undefined ? 'create' : 'update';
}
