/** Names, texts and line breaks of generated Python. */

const WIDTH = 120;

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in ' +
    'is lambda nonlocal not or pass raise return try while with yield self'
  ).split(' '),
);

/** Members of pydantic's BaseModel, 1.10 and 2: a field may not have their names. */
const OF_BASE_MODEL = new Set(
  'construct copy dict fields from_orm json parse_file parse_obj parse_raw schema schema_json validate'.split(' '),
);

/** createScreening, X-Actor → create_screening, x_actor. */
export function snake(name: string): string {
  const text = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return KEYWORDS.has(text) ? `${text}_` : text;
}

export function fieldName(name: string): string {
  const text = snake(name);
  return OF_BASE_MODEL.has(text) ? `${text}_` : text;
}

/** flow.session, beneficial_owners → FlowSession, BeneficialOwners. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}

export function indented(lines: string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `    ${line}`));
}

/** A docstring: its first line, and paragraphs below it. */
export function docstring(first: string, ...paragraphs: string[]): string[] {
  const [head, ...rest] = [first, ...paragraphs].filter((text) => text !== '').map((text) => wrapped(escaped(text)));
  if (head === undefined) return [];
  const body = rest.flatMap((lines) => ['', ...lines]);
  if (body.length === 0 && head.length === 1) return [`"""${head[0]}"""`];
  return [`"""${head[0]}`, ...head.slice(1), ...body, '"""'];
}

/** `head`, the items and `tail` on one line, or each item on a line of its own. */
export function listed(head: string, items: string[], tail: string, indent = 4): string[] {
  const line = `${head}${items.join(', ')}${tail}`;
  if (line.length + indent <= WIDTH) return [line];
  return [head, ...items.map((item) => `    ${item},`), tail];
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ');
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && line.length + word.length + 1 > WIDTH - 12) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}
