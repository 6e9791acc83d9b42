import { Readable } from 'node:stream';
import { AuditLog } from '@constancia/auth';
import type { HttpConfig } from '@constancia/http';
import { bogotaDay } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Archive, type Content } from '../archive.ts';
import type { ExportCaller } from '../export-admission.ts';
import { CONFIGURATION_KEY, ZIP } from './configuration-answers.ts';
import { archivedJson, type ManifestFile, manifestOf, sha256Of } from './configuration-files.ts';
import { ConfigurationKeys } from './configuration-key.ts';
import type { ConfigurationFile, ConfigurationPart, ConfigurationSource } from './configuration-kind.ts';
import { ZIP_LIMITS } from './zip-entries.ts';

/** A request for a configuration: HEAD gets its headers alone. */
export interface ConfigurationRequest extends ExportCaller {
  config: HttpConfig;
  request: FastifyRequest;
  reply: FastifyReply;
}

type WrittenFile = ManifestFile & { content: Buffer | ConfigurationFile };

/** The answer with the configuration of a host. Throws StateConflict when an import would not take it. */
export async function exportConfiguration(
  source: ConfigurationSource,
  { config, principal, origin, request, reply }: ConfigurationRequest,
): Promise<StreamableFile> {
  const { host, parts } = source;
  const { tenant } = principal;
  const keys = new ConfigurationKeys(config.secretsKey);
  const files: WrittenFile[] = [];
  for (const part of parts) files.push(...(await filesOf(source, part, tenant.id)));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length + 2 > ZIP_LIMITS.entries || bytes > ZIP_LIMITS.bytes) {
    throw new StateConflict(
      `The configuration has ${files.length} files and ${bytes} bytes; an archive takes ${ZIP_LIMITS.entries} files and 50 MB: delete or archive templates that are not needed.`,
    );
  }
  const listed = files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }));
  const manifest = manifestOf(host, listed);
  const claims = { iss: config.baseUrl, tenant: tenant.slug, iat: Math.floor(Date.now() / 1_000) };
  const token = await keys.sign({ ...claims, manifest_sha256: sha256Of(manifest) });
  void reply.headers({ [CONFIGURATION_KEY]: keys.id, 'Cache-Control': 'no-store' });
  const last = [
    writtenFile(`${host}/manifest.json`, manifest),
    writtenFile(`${host}/manifest.jws`, Buffer.from(token)),
  ];
  if (request.method === 'HEAD') return answerWith(host, Readable.from([]));
  await parts[0]?.database.tenant(tenant.id, (tx) =>
    AuditLog.record(tx, {
      ...{ principal, origin, action: 'configuration.exported' },
      object: { kind: 'configuration', id: null },
      after: { host, files: files.length, bytes },
    }),
  );
  return answerWith(host, written([...files, ...last], source));
}

/** What a schema exports, as files: all of one moment. */
function filesOf(source: ConfigurationSource, part: ConfigurationPart, tenantId: string): Promise<WrittenFile[]> {
  const { host } = source;
  return part.database.snapshot(tenantId, async (tx) => {
    const found: WrittenFile[] = [];
    for (const kind of part.kinds) {
      for (const [name, content] of await kind.current(tx)) {
        found.push(writtenFile(`${host}/${kind.folder}/${name}.json`, archivedJson(content)));
      }
    }
    for (const file of (await source.files?.(tx)) ?? [])
      found.push({ ...file, path: `${host}/${file.path}`, content: file });
    return found;
  });
}

const writtenFile = (path: string, content: Buffer): WrittenFile => ({
  ...{ path, bytes: content.length },
  sha256: sha256Of(content),
  content,
});

function written(files: WrittenFile[], source: ConfigurationSource): Readable {
  const archive = Archive.reproducible();
  const write = async () => {
    for (const { path, content } of files) {
      await archive.add(path, await contentOf(content, source), { compress: false });
    }
    await archive.end();
  };
  write().catch((error: Error) => archive.body.destroy(error));
  return archive.body;
}

async function contentOf(content: Buffer | ConfigurationFile, source: ConfigurationSource): Promise<Content> {
  if (Buffer.isBuffer(content)) return [content];
  if (!source.open) throw new Error(`nothing opens files of ${source.host}`);
  return source.open(content);
}

const answerWith = (host: string, body: Readable) =>
  new StreamableFile(body, {
    type: ZIP,
    disposition: `attachment; filename="constancia-configuration-${host}-${bogotaDay(new Date())}.zip"`,
  });
