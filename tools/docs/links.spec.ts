import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';

const NOT_OURS = new Set(['node_modules', 'dist', '.git', '.local', '.nx', 'coverage']);

/** Every Markdown file of the checkout. */
function pages(folder = WORKSPACE): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return [];
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return pages(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

const FENCE = /^ *```(\w*)\n([\s\S]*?)^ *```/gm;
const withoutCode = (text: string): string => text.replace(FENCE, '').replace(/`[^`\n]*`/g, '');

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading.replace(/`|\*|\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-'); // prettier-ignore

function anchors(file: string): Set<string> {
  const text = fs.readFileSync(file, 'utf8').replace(FENCE, '');
  return new Set([...text.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading]) => anchorOf(heading as string)));
}

/** Links of a page that lead nowhere: to a file that is not there, or to a heading that the file does not have. */
function deadLinks(page: string): string[] {
  const targets = [...withoutCode(fs.readFileSync(page, 'utf8')).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)];
  return targets.flatMap(([, target]) => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target as string)) return [];
    const [file, anchor] = (target as string).split('#') as [string, string?];
    const there = file === '' ? page : path.resolve(path.dirname(page), decodeURIComponent(file));
    if (!fs.existsSync(there)) return [`${target}: no such file`];
    if (anchor && there.endsWith('.md') && !anchors(there).has(anchor)) return [`${target}: no such heading`];
    return [];
  });
}

const { scripts } = JSON.parse(fs.readFileSync(path.join(WORKSPACE, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const BUILT_IN = new Set(['ci', 'install', 'test', 'start', 'stop', 'run', 'sbom', 'audit', 'exec', 'view']);

/** Commands of a page, in its code and in its sentences, that this checkout does not have. */
function deadCommands(page: string): string[] {
  const text = fs.readFileSync(page, 'utf8');
  const code = [...text.matchAll(FENCE)].filter(([, language]) => language === 'sh').map(([, , block]) => block as string); // prettier-ignore
  code.push(...[...text.replace(FENCE, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span as string));
  const dead: string[] = [];
  for (const block of code) {
    for (const [whole, name] of block.matchAll(/\bnpm run (?:-\S+ )*([a-z][\w:-]*)/g))
      if (!((name as string) in scripts)) dead.push(`${whole}: no such script`);
    for (const [whole, name] of block.matchAll(/(?:^|[\s(])npm ([a-z]+)\b/g))
      if (!BUILT_IN.has(name as string)) dead.push(`${whole.trim()}: no such command of npm`);
    for (const [, file] of block.matchAll(/\bnode ((?:tools|dist|libs|apps)\/[\w./-]+\.m?[jt]s)\b/g))
      if (!fs.existsSync(path.join(WORKSPACE, sourceOf(file as string)))) dead.push(`node ${file}: no such file`);
  }
  return dead;
}

/** What a bundle is built from: tests of the sources must not need a build. */
function sourceOf(file: string): string {
  const app = /^dist\/(apps\/[\w-]+)\/main\.js$/.exec(file)?.[1];
  if (app) return `${app}/src/main.ts`;
  return file.replace(/^dist\/(tools\/.+)\/main\.js$/, '$1.ts');
}

describe('what people read', () => {
  const all = pages();

  it('is found: README, guides, decisions, runbooks', () => {
    expect(all.length).toBeGreaterThan(60);
  });

  it.each(all.map((page) => [path.relative(WORKSPACE, page), page]))(
    '%s names links and commands that there are',
    (_, page) => {
      expect([...deadLinks(page), ...deadCommands(page)]).toEqual([]);
    },
  );

  it('is linked from the README or from a page that is: every guide', () => {
    const seen = new Set<string>();
    const follow = (page: string): void => {
      if (seen.has(page) || !page.endsWith('.md') || !fs.existsSync(page)) return;
      seen.add(page);
      for (const [, target] of withoutCode(fs.readFileSync(page, 'utf8')).matchAll(/\]\(<?([^)\s#>]+)/g))
        if (!/^[a-z]+:/i.test(target as string)) follow(path.resolve(path.dirname(page), target as string));
    };
    follow(path.join(WORKSPACE, 'README.md'));
    const guides = all.filter((page) => page.startsWith(path.join(WORKSPACE, 'docs')));
    expect(guides.filter((page) => !seen.has(page)).map((page) => path.relative(WORKSPACE, page))).toEqual([]);
  });

  it('has shell blocks that bash can read', { timeout: 60_000 }, () => {
    for (const page of all.filter((each) => each.startsWith(path.join(WORKSPACE, 'docs')))) {
      const blocks = [...fs.readFileSync(page, 'utf8').matchAll(FENCE)].filter(([, language]) => language === 'sh');
      if (blocks.length === 0) continue;
      const input = blocks.map(([, , block]) => block).join('\n');
      const { status, stderr } = spawnSync('bash', ['-n'], { input, encoding: 'utf8' });
      expect(`${status} ${stderr}`, page).toBe('0 ');
    }
  });
});
