/** Screening against a running stack, call by call, as any client would make it. Used by --check. */
import { call } from './main-job.mjs';

/** Everybody on a sandbox's lists is invented; this one is on OFAC's. */
const LISTED = {
  full_name: 'Ernesto Fictisio Ejemplo',
  birth_date: '1962-04-17',
  document_type: 'CC',
  document_number: '1000000001',
  country_code: 'CO',
};

/** A draft with the canonical rules. */
export async function seededDraft(stack, tenant) {
  const at = (path) => `${stack.compliance_url}${path}`;
  const { answer } = await call('POST', at('/v1/validations'), {
    key: tenant.api_key,
    json: { name: 'SARLAFT' },
    expect: 201,
  });
  const json = { validation_id: answer.id, subject_type: 'both' };
  await call('POST', at('/v1/rules/seed-defaults'), { key: tenant.api_key, json, expect: 200 });
  return answer;
}

/** What screening a listed name by the draft would find. */
export async function dryRun(stack, tenant) {
  const json = { subject_ref: 'cliente-001', subject_type: 'natural', payload: LISTED };
  const url = `${stack.compliance_url}/v1/screenings/dry-run`;
  return (await call('POST', url, { key: tenant.api_key, json, expect: 200 })).answer;
}
