import { AuditLog } from '@constancia/auth';
import type { DocumentStepInput, FaceStepInput } from '@constancia/contracts';
import type { Principal } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Forbidden, NotFound } from '@constancia/problem-json';
import { ObjectMissing, ObjectStore, openObject, sealedObjectKey } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../identity-database.ts';
import { sessionRow } from '../sessions/session-changes.ts';
import { isAccepted, runsOf } from '../sessions/step-run.ts';
import type { StepRun } from '../sessions/step-run.entity.ts';
import { SubjectKeys } from '../subjects/subject-keys.ts';
import { subjectRow } from '../subjects/subjects.ts';
import { Asset } from '../uploads/asset.entity.ts';
import { rethrowStorageUnavailable, versionOf } from '../uploads/picture-intake.ts';

/** Pictures that a person compares. */
export const REVIEWED_PICTURES = ['doc_front', 'doc_back', 'selfie'] as const;
export type ReviewedPicture = (typeof REVIEWED_PICTURES)[number];

/** Who looks at which picture, and from where. */
interface PictureReading {
  principal: Principal;
  origin: string;
  /** UUID. */
  sessionId: string;
  kind: ReviewedPicture;
}

/** The pictures of sessions that a person has to decide, for members who do. Who looks is in the audit log before anything is opened. */
@Injectable()
export class SessionPictures {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: SubjectKeys,
    private readonly objects: ObjectStore,
  ) {}

  /** JPEG. Throws NotFound (no review, no such picture, or it was removed), Forbidden (a key asks), DependencyUnavailable. */
  async read({ principal, origin, sessionId, kind }: PictureReading): Promise<Buffer> {
    const tenantId = principal.tenant.id;
    const { name, subjectId, wrapped } = await this.database.tenant(tenantId, async (tx) => {
      const { subject_id, status } = await sessionRow(tx, tenantId, sessionId);
      if (principal.kind !== 'member') {
        throw new Forbidden('Pictures of persons are shown to members who are signed in to the console, not to keys.');
      }
      if (status !== 'manual_review') throw new NotFound('Pictures are shown while the session is in manual_review.');
      const id = pictureOf(await runsOf(tx, sessionId), kind);
      const stored = { tenant_id: tenantId, subject_id, status: 'stored' } as const;
      const asset = id === null ? null : await tx.manager.findOneBy(Asset, { ...stored, id });
      const { wrapped_key } = await subjectRow(tx, tenantId, subject_id);
      if (asset === null || wrapped_key === null) throw missing();
      const object = { kind: 'flow_session', id: typeId('fls', sessionId) };
      await AuditLog.record(tx, { principal, origin, action: 'session_picture.read', object, after: { kind } });
      return { name: versionOf(asset, asset.version), subjectId: subject_id, wrapped: wrapped_key };
    });
    const key = await this.keys.unwrap(tenantId, subjectId, wrapped);
    const sealed = await this.objects.get(sealedObjectKey(name)).catch((error: unknown) => {
      if (error instanceof ObjectMissing) throw missing();
      return rethrowStorageUnavailable(error, 'The picture cannot be read at present: ask for it again.');
    });
    return openObject(key, sealed, name);
  }
}

/** The asset that a session was judged by; of several attempts the one that was accepted, else the last. Null: it has none. */
function pictureOf(runs: readonly StepRun[], kind: ReviewedPicture): string | null {
  const ofType = runs.filter(({ step_type }) => step_type === (kind === 'selfie' ? 'face' : 'document'));
  const run = ofType.findLast(isAccepted) ?? ofType.at(-1);
  const input = (run?.input ?? {}) as Partial<DocumentStepInput & FaceStepInput>;
  return input[kind] ?? null;
}

const missing = (): NotFound =>
  new NotFound('The session has no such picture, or its time is over and it was removed.');
