import { describeConfig } from '@constancia/config';
import { EVENT_CATALOGUE, EVENT_MODULES, EVENT_TYPES, EVERY_MODULE_EVENT_TYPES, PROBLEMS } from '@constancia/contracts';
import { CONFIGURED_APPS } from './apps.ts';

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

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
