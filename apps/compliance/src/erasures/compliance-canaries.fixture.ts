import type { CallApp } from '@constancia/testing/calls';
import { greyPng, pngChunk } from '../../../../libs/pdf-sealing/src/png.fixture.ts';

/** What is said of the person whom the run is about, and by people about them. */
export const COMPLIANCE_CANARIES = {
  name: 'Canaria Inventada Trinos',
  birthDate: '1987-03-14',
  number: '1032456798',
  comment: 'Llamada con la prima de Canaria el lunes',
  escalation: 'El origen de los fondos de Canaria no es claro',
  decision: 'Fecha de nacimiento de Canaria confirmada',
  partner: 'Jilguero Socio Inventado',
  file: 'cedula-de-canaria-inventada.png',
  picture: 'Jilguero en la foto de Canaria',
} as const;

const PAYLOAD = {
  full_name: COMPLIANCE_CANARIES.name,
  birth_date: COMPLIANCE_CANARIES.birthDate,
  document_type: 'CC',
  document_number: COMPLIANCE_CANARIES.number,
  related_parties: [{ role: 'shareholder', full_name: COMPLIANCE_CANARIES.partner }],
};

/** A picture with a text in it. */
const FILE = greyPng([[[0, 255]]], { extra: [pngChunk('tEXt', Buffer.from(COMPLIANCE_CANARIES.picture))] });

/**
 * Everything that a tenant does with a person in compliance: screened (with an Idempotency-Key, and again), replayed, a case worked from
 * comment and an attached file to a ROS draft, exported. The tenant has a published validation, and a list that names the person.
 */
export async function runCompliance(
  call: CallApp,
  key: string,
  subjectRef: string,
  validationCode = 'default',
): Promise<void> {
  const post = async <Body>(path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await call<Body>(path, { method: 'POST', key, body, headers });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const body = {
    subject_ref: subjectRef,
    subject_type: 'natural',
    validation_code: validationCode,
    payload: PAYLOAD,
  };
  const { id, case_id } = await post<{ id: string; case_id: string | null }>('/v1/screenings', body, {
    'idempotency-key': crypto.randomUUID(),
  });
  if (case_id === null) throw new Error('the person is on a list, and has a case');
  await post('/v1/screenings', body);
  await call(`/v1/screenings/${id}/replay`, { key });
  await post(`/v1/cases/${case_id}/comment`, { body: COMPLIANCE_CANARIES.comment });
  const attached = await call(`/v1/cases/${case_id}/attachments`, {
    key,
    body: FILE,
    headers: {
      'content-type': 'image/png',
      'x-file-name': COMPLIANCE_CANARIES.file,
      'idempotency-key': crypto.randomUUID(),
    },
  });
  if (attached.status !== 201) throw new Error(`the file was answered with ${attached.status}`);
  await post(`/v1/cases/${case_id}/escalate`, { reason: COMPLIANCE_CANARIES.escalation });
  await post(`/v1/cases/${case_id}/resolve`, { decision: 'true_match', reason: COMPLIANCE_CANARIES.decision });
  await call('/v1/cases/export', { key });
}
