import { eventually } from '@constancia/testing';
import type { RunningCompliance } from './running-compliance.fixture.ts';

interface Made {
  id: string;
  version: number;
}

/** Waits until the lists that ship with a sandbox are imported and loaded: a thread is built and run for each of them. */
export async function listsLoaded(compliance: RunningCompliance, key: string): Promise<void> {
  await eventually(async () => {
    const { body } = await compliance.call<{ data?: object[] }>('/v1/lists', { key });
    if (body.data?.length !== SHIPPED_LISTS) throw new Error('not all lists are loaded');
    return true;
  }, 60_000);
}

const SHIPPED_LISTS = 5;

/** A draft with the canonical rules; answers its id. */
export async function seededDraft(
  compliance: RunningCompliance,
  key: string,
  { code = 'default', subjectType = 'both' }: { code?: string; subjectType?: string } = {},
): Promise<string> {
  const { body } = await compliance.call<Made>('/v1/validations', { key, body: { code, name: 'SARLAFT' } });
  await compliance.call('/v1/rules/seed-defaults', {
    key,
    body: { validation_id: body.id, subject_type: subjectType },
  });
  return body.id;
}

/** The same, published. */
export async function seededValidation(
  compliance: RunningCompliance,
  key: string,
  options: { code?: string; subjectType?: string } = {},
): Promise<string> {
  const id = await seededDraft(compliance, key, options);
  const { status, body } = await compliance.call(`/v1/validations/${id}/publish`, { method: 'POST', key });
  if (status !== 200) throw new Error(`not published: ${JSON.stringify(body)}`);
  return id;
}
