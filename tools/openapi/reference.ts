import { describeConfig } from '@constancia/config';
import { EVENT_CATALOGUE, EVENT_MODULES, EVENT_TYPES, EVERY_MODULE_EVENT_TYPES, PROBLEMS } from '@constancia/contracts';
import { predicateReference } from '@constancia/rule-graph';
import { CONFIGURED_APPS } from './configured-apps.ts';
import { shapeOf, type ValueSchema } from './value-shape.ts';

/** docs/reference/problems.md */
export function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(([slug, { status, title, help }]) => [
    `\`${slug}\``,
    String(status),
    title,
    help,
  ]);
  return `# Problems

Every error is an RFC 9457 document (\`application/problem+json\`) whose \`type\` is \`{base_url}/problems/<slug>\`. It always
carries \`request_id\`; \`validation-error\` carries \`errors: [{pointer, code, detail}]\`, all of them at once.

${table(['Slug', 'Status', 'Title', 'What to do'], rows)}
`;
}

/** docs/reference/environment.md */
export function environmentPage(): string {
  const sections = CONFIGURED_APPS.flatMap(({ name, serves, migrates }) => [
    `## ${name}\n\n${variables(serves)}`,
    ...(migrates ? [`### ${name}: \`node main.js migrate\`\n\n${variables(migrates)}`] : []),
  ]);
  return `# Environment variables

Read and checked once, at start: a process with a wrong or missing variable names all of them and ends. An empty variable counts
as not set. Values of secret variables are never printed.

${sections.join('\n\n')}
`;
}

function variables(cls: new () => object): string {
  const rows = describeConfig(cls).map(({ name, description, default: value, secret, required }) => [
    `\`${name}\``,
    description,
    required ? 'required' : value === undefined || value === '' ? '' : `\`${value}\``,
    secret ? 'secret' : '',
  ]);
  return table(['Variable', 'Meaning', 'Default', ''], rows);
}

/** docs/reference/events.md */
export function eventsPage(): string {
  const sections = EVENT_MODULES.map(
    (module) => `## ${module}\n\n${EVENT_TYPES[module].map(eventSection).join('\n\n')}`,
  );
  return `# Events

Delivered to the endpoint of their module as \`{event_id, tenant_id, module, event_type, occurred_at, payload}\`, at least once,
in no promised order, byte-identical on every attempt and replay. De-duplicate on \`event_id\`. Every delivery is signed: verify
\`webhook-signature\` (Standard Webhooks) or \`X-Service-Signature\` before you trust it; libs/sdk does both. Payloads may grow by
members: ignore those that you do not know.

${sections.join('\n\n')}

## Any module

${EVERY_MODULE_EVENT_TYPES.map(eventSection).join('\n\n')}
`;
}

function eventSection(type: keyof typeof EVENT_CATALOGUE): string {
  const { when, payload, planned } = EVENT_CATALOGUE[type];
  const rows = Object.entries(payload).map(([name, member]) => [
    `\`${name}\``,
    `${member.format ?? member.type}${member.nullable ? ' or null' : ''}`,
    member.description,
  ]);
  return `### \`${type}\`\n\n${when}${planned ? ' Reserved: not emitted yet.' : ''}\n\n${table(['Member', 'Type', ''], rows)}`;
}

/** docs/reference/predicates.md */
export function predicatesPage(): string {
  const rows = predicateReference().map(({ name, title, value_schema, example, reads }) => [
    `\`${name}\``,
    `${title.en}<br>_${title.es}_`,
    shapeOf(value_schema as ValueSchema),
    `\`${JSON.stringify(example)}\``,
    reads.map((fact) => `\`${fact}\``).join(', '),
  ]);
  return `# Predicates of rule graphs

A condition of a rule's graph is \`{"id": …, "type": "condition", "predicate": …, "value": …}\`. It is true, false, or unknown when
a fact that it reads is missing; an unknown condition leads nowhere, neither over a plain edge nor over one with \`"when": false\`,
and the field is listed in \`data_gaps\`. Codes of countries, currencies and lists may be written in either case.

_Los predicados que puede usar una condición: qué preguntan, qué valor llevan y qué datos leen._

${table(['Predicate', 'True when', 'Value', 'Example', 'Reads'], rows)}

\`matches\` is what was found on the lists for the subject, \`related_parties\` the same for its parties, \`fatf\` the FATF's status of its
country, \`history\` its earlier screenings; the rest are members of the payload.
`;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
