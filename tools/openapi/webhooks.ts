import {
  EVENT_CATALOGUE,
  EVENT_MODULES,
  EVENT_TYPES,
  EVERY_MODULE_EVENT_TYPES,
  type PayloadMember,
} from '@constancia/contracts';

type EventType = keyof typeof EVENT_CATALOGUE;

/** The `webhooks` of the platform document: what it sends to a tenant's endpoints. */
export function webhooks(): Record<string, object> {
  return Object.fromEntries(
    (Object.keys(EVENT_CATALOGUE) as EventType[]).filter(emitted).map((type) => [type, { post: operationOf(type) }]),
  );
}

/** The schemas that these operations refer to. */
export function eventSchemas(): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    (Object.keys(EVENT_CATALOGUE) as EventType[]).filter(emitted).map((type) => [nameOf(type), schemaOf(type)]),
  );
}

const emitted = (type: EventType) => !EVENT_CATALOGUE[type].planned;
const nameOf = (type: EventType) => `Event_${type.replaceAll('.', '_')}`;

function operationOf(type: EventType): object {
  return {
    operationId: `on_${type.replaceAll('.', '_')}`,
    summary: EVENT_CATALOGUE[type].when,
    tags: ['Events'],
    security: [],
    parameters: [
      header(
        'X-Service-Signature',
        'sha256= and the hex HMAC-SHA256 of the raw body, by the webhook secret as it was given.',
        '^sha256=[0-9a-f]{64}$',
      ),
      {
        ...header(
          'X-Service-Signature-Previous',
          'The same by the former secret, while a rotation of the webhook secret is under way.',
          '^sha256=[0-9a-f]{64}$',
        ),
        required: false,
      },
      header('webhook-id', 'The event_id.', '^[0-9a-f-]{36}$'),
      header('webhook-timestamp', 'Epoch seconds of this attempt.', '^[0-9]{10}$'),
      header(
        'webhook-signature',
        'Standard Webhooks 1.0.0; during a rotation two, separated by a space.',
        '^v1,[A-Za-z0-9+/]{43}=(?: v1,[A-Za-z0-9+/]{43}=)?$',
      ),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${nameOf(type)}` } } },
    },
    responses: {
      '2XX': { description: 'Delivered. Anything else, or nothing within 10 s, is tried again for about three days.' },
      410: { description: 'Disables the endpoint.' },
    },
  };
}

function header(name: string, description: string, pattern: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string', pattern } };
}

function schemaOf(type: EventType): Record<string, unknown> {
  const { payload, when } = EVENT_CATALOGUE[type];
  return {
    type: 'object',
    description: when,
    required: ['event_id', 'tenant_id', 'module', 'event_type', 'occurred_at', 'payload'],
    properties: {
      event_id: { type: 'string', format: 'uuid', description: 'The same on every attempt and replay.' },
      tenant_id: { type: 'string', format: 'uuid' },
      module: { type: 'string', enum: modulesOf(type) },
      event_type: { type: 'string', const: type },
      occurred_at: { type: 'string', format: 'date-time' },
      payload: {
        type: 'object',
        required: Object.keys(payload),
        properties: Object.fromEntries(Object.entries(payload).map(([name, member]) => [name, memberSchema(member)])),
      },
    },
  };
}

function modulesOf(type: EventType): string[] {
  const everywhere = (EVERY_MODULE_EVENT_TYPES as readonly string[]).includes(type);
  return EVENT_MODULES.filter((module) => everywhere || (EVENT_TYPES[module] as readonly string[]).includes(type));
}

function memberSchema({ nullable, ...member }: PayloadMember): object {
  if (!nullable) return member;
  return { ...member, type: [member.type, 'null'], ...(member.enum && { enum: [...member.enum, null] }) };
}
