import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ApiDocument } from '../complete.ts';
import { describedOperations } from '../described.ts';
import { modelOf } from './models.ts';
import { pythonFiles } from './client.ts';
import { snake } from './text.ts';

const APPS = ['platform', 'compliance', 'signing'];
const documents = new Map(
  APPS.map((app) => [app, parse(readFileSync(`docs/api/${app}.v1.yaml`, 'utf8')) as ApiDocument]),
);

const files = pythonFiles(documents);

describe('the Python client', () => {
  it('is what the committed descriptions say, file by file', () => {
    const different = [...files].filter(([file, text]) => readFileSync(file, 'utf8') !== text);
    expect(different.map(([file]) => file)).toEqual([]);
  });

  it.each(APPS)('has a method for each operation of %s, and a model for all that they send and answer', (app) => {
    const own = [...files].filter(([file]) => file.includes(`/${app}/`));
    const text = own.map(([, content]) => content).join('\n');
    for (const { id } of describedOperations(documents.get(app) as ApiDocument))
      expect(text).toContain(`def ${snake(id)}(`);
    const defined = new Set([...text.matchAll(/^(?:class )?(\w+)(?:\(| = )/gm)].map(([, name]) => name));
    const used = [...text.matchAll(/\b([A-Z]\w+(?:View|Body|Page|List))\b/g)].map(([, name]) => name);
    expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
  });
});

describe('a model', () => {
  it('of an answer takes values that are not known yet; one of a body refuses members', () => {
    const schema = {
      type: 'object',
      required: ['status'],
      additionalProperties: false,
      properties: { status: { type: 'string', enum: ['a', 'b'] }, from: { type: ['integer', 'null'] } },
    };
    expect(modelOf('Answer', schema, true)).toEqual([
      [
        'class Answer(Model):',
        '    status: Literal["a", "b"] | str',
        '    from_: Int | None = Field(None, alias="from")',
      ],
    ]);
    expect(modelOf('Body', schema, false)[0]?.slice(0, 2)).toEqual([
      'class Body(ClosedModel):',
      '    status: Literal["a", "b"]',
    ]);
  });

  it('does not show secrets, and has a class for each object inside', () => {
    const inside = { type: 'object', properties: { api_key: { type: 'string', description: 'Once.' } } };
    expect(modelOf('Key', { type: 'object', properties: { latest: inside } }, true)).toEqual([
      ['class KeyLatest(Model):', '    api_key: str | None = Field(None, repr=False)', '    """Once."""'],
      ['class Key(Model):', '    latest: KeyLatest | None = None'],
    ]);
  });
});
