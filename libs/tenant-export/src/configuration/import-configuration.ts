import { AuditLog } from '@constancia/auth';
import type { HttpConfig } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import type { ExportCaller } from '../export-admission.ts';
import { jsonOf, type OpenedConfiguration, openConfiguration } from './configuration-files.ts';
import { ConfigurationKeys } from './configuration-key.ts';
import {
  type AppliedChange,
  changedMeanwhile,
  type ConfigurationContent,
  type ConfigurationKind,
  type ConfigurationPart,
  type ConfigurationSource,
} from './configuration-kind.ts';
import {
  applied,
  atFile,
  fileOf,
  isApplied,
  type KnownChange,
  planOf,
  requirePrepared,
  viewOf,
} from './import-changes.ts';
import type { ConfigurationImportView, ConfigurationSigner } from './import-view.ts';

export interface ConfigurationImport extends ExportCaller {
  config: HttpConfig;
  zip: Buffer;
  dryRun: boolean;
}

type Wanted = Map<ConfigurationKind, Map<string, ConfigurationContent>>;

/** Imports the folder of a host, or answers what an import would do. Throws ValidationError for an archive that is not taken. */
export async function importConfiguration(
  source: ConfigurationSource,
  request: ConfigurationImport,
): Promise<ConfigurationImportView> {
  const { host } = source;
  const opened = await openConfiguration(request.zip, host);
  const signed_by = signerOf(opened, request.config, host);
  const run = new ImportRun(source, request, wantedOf(source, opened), signed_by.key_id);
  const planned = await run.plan();
  await requirePrepared(planned, opened, host);
  const changes = request.dryRun ? planned : await run.apply(planned);
  const views = changes.map((change) => viewOf(change, host, opened));
  return { dry_run: request.dryRun, signed_by, changes: views.sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

class ImportRun {
  constructor(
    private readonly source: ConfigurationSource,
    private readonly request: ConfigurationImport,
    private readonly wanted: Wanted,
    private readonly keyId: string,
  ) {}

  /** What would be done now. */
  async plan(): Promise<KnownChange[]> {
    const changes: KnownChange[] = [];
    for (const part of this.source.parts) {
      changes.push(...(await part.database.tenant(this.tenantId, (tx) => this.planIn(tx, part))));
    }
    return changes;
  }

  /** Does it, one transaction for each schema; answers what was done. Throws StateConflict when that is more than was looked at. */
  async apply(planned: KnownChange[]): Promise<KnownChange[]> {
    for (const change of planned.filter(isApplied)) await change.kind.store?.(change);
    const prepared = new Set(planned.filter(isApplied).map((change) => this.fileOf(change)));
    const done: KnownChange[] = [];
    for (const part of this.source.parts) {
      const changes = await part.database.tenant(this.tenantId, async (tx) => {
        for (const kind of part.kinds) await kind.lock?.(tx, [...this.of(kind).keys()].sort());
        const plan = await this.planIn(tx, part);
        if (!plan.filter(isApplied).every((change) => prepared.has(this.fileOf(change)))) throw changedMeanwhile();
        await this.record(tx, await applied(tx, plan));
        return plan;
      });
      done.push(...changes);
    }
    return done;
  }

  private async planIn(tx: Tx, { kinds }: ConfigurationPart): Promise<KnownChange[]> {
    const plan: KnownChange[] = [];
    for (const kind of kinds) plan.push(...(await planOf(tx, kind, this.of(kind))));
    return plan;
  }

  /** Last in its transaction: entries of a tenant wait for each other. */
  private async record(tx: Tx, audits: AppliedChange['audit'][]): Promise<void> {
    if (audits.length === 0) return;
    const { principal, origin } = this.request;
    const after = { host: this.source.host, key_id: this.keyId, changed: audits.length };
    const own = { action: 'configuration.imported', object: { kind: 'configuration', id: null }, after } as const;
    for (const audit of [...audits, own]) if (audit) await AuditLog.record(tx, { principal, origin, ...audit });
  }

  private of(kind: ConfigurationKind): Map<string, ConfigurationContent> {
    return this.wanted.get(kind) ?? new Map<string, ConfigurationContent>();
  }

  private fileOf(change: KnownChange): string {
    return fileOf(change, this.source.host);
  }

  private get tenantId(): string {
    return this.request.principal.tenant.id;
  }
}

/** Who signed. Throws ValidationError for a key that this deployment does not trust. */
function signerOf({ signedBy }: OpenedConfiguration, config: HttpConfig, host: string): ConfigurationSigner {
  const { keyId, iss, tenant, iat } = signedBy;
  const listed = config.configurationTrustedKeys;
  const isOwn = new ConfigurationKeys(config.secretsKey).has(keyId);
  const key = isOwn ? 'this_deployment' : listed.includes(keyId) ? 'listed' : 'unknown';
  if (key === 'unknown' && listed.length > 0) {
    const detail = `The key ${keyId} is none of CONFIGURATION_TRUSTED_KEYS of this deployment.`;
    throw new ValidationError([{ pointer: `/${host}/manifest.jws`, code: 'unknown_key', detail }]);
  }
  const said = { issuer: iss.slice(0, 2048), tenant: tenant.slice(0, 200) };
  return { key_id: keyId, key, ...said, exported_at: new Date(iat * 1_000).toISOString() };
}

/** The objects of the archive. Throws ValidationError with everything that is wrong with them. */
function wantedOf({ host, parts }: ConfigurationSource, { files }: OpenedConfiguration): Wanted {
  const wanted: Wanted = new Map();
  const byPath = [...files].sort(([a], [b]) => (a < b ? -1 : 1)); // endpoints are created in this order
  const errors: FieldError[] = [];
  for (const kind of parts.flatMap(({ kinds }) => kinds)) {
    const objects = new Map<string, ConfigurationContent>();
    for (const [path, bytes] of byPath) {
      const name = nameIn(kind.folder, path);
      if (name === undefined) continue;
      try {
        objects.set(name, kind.read(jsonOf(bytes, `${host}/${path}`), name));
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        errors.push(...error.errors.map((one) => atFile(one, `/${host}/${path}`)));
      }
    }
    wanted.set(kind, objects);
  }
  if (errors.length > 0) throw new ValidationError(errors);
  return wanted;
}

function nameIn(folder: string, path: string): string | undefined {
  const isInside = path.startsWith(`${folder}/`) && path.endsWith('.json');
  return isInside ? path.slice(folder.length + 1, -'.json'.length) : undefined;
}
