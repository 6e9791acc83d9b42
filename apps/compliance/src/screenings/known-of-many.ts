import type { CompiledValidations, RunnableValidation } from '../validations/compiled-validations.ts';
import { noPublished } from './no-published.ts';
import type { KnownOfSubject, ScreeningContext, ScreeningRequest } from './screening-context.ts';
import { daysAskedFor } from './screening-history.ts';

/** What decides, and what is known of each subject, in their order. */
export interface KnownOfMany {
  validation: RunnableValidation;
  known: KnownOfSubject[];
}

/** Of subjects that are screened by one code: as far back as its published rules look. Throws NotFound (no published validation). */
export async function knownOfMany(
  { context, validations }: { context: ScreeningContext; validations: CompiledValidations },
  { tenantId, code }: { tenantId: string; code: string },
  subjects: readonly Pick<ScreeningRequest, 'subjectRef' | 'subjectType'>[],
): Promise<KnownOfMany> {
  const days = context.daysLastAskedFor(tenantId, code);
  const known = await context.readMany(tenantId, code, subjects, days);
  const publishedId = known[0]?.publishedId;
  if (!publishedId) throw noPublished(code);
  const validation = await validations.byUuid(tenantId, publishedId);
  const needed = daysAskedFor(validation.compiled.needs);
  context.noteDays(tenantId, code, needed);
  if (needed <= days) return { validation, known };
  return { validation, known: await context.readMany(tenantId, code, subjects, needed) };
}
