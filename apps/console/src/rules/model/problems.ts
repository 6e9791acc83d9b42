import { lintRules } from '@constancia/rule-graph';
import type { EditedRule } from './edited-rule.ts';

/** Something that the linter found. */
export interface Problem {
  level: 'error' | 'warning';
  code: string;
  detail: string;
}

/** What was found, by what it is about: a node by its id, a member of the rule by its name; the rest is about the whole. */
export interface Problems {
  errors: number;
  warnings: number;
  ofNode: ReadonlyMap<string, readonly Problem[]>;
  ofMember: ReadonlyMap<string, readonly Problem[]>;
  ofWhole: readonly Problem[];
}

/** What is wrong with a rule among the others of its validation. */
export function problemsOf(rule: EditedRule, others: readonly EditedRule[]): Problems {
  const report = lintRules([...others, rule]);
  const own = `/${others.length}`;
  const ofNode = new Map<string, Problem[]>();
  const ofMember = new Map<string, Problem[]>();
  const ofWhole: Problem[] = [];
  const counts = { error: 0, warning: 0 };
  const add = (
    level: Problem['level'],
    { pointer, code, detail }: { pointer: string; code: string; detail: string },
  ) => {
    if (pointer !== own && !pointer.startsWith(`${own}/`)) return;
    counts[level] += 1;
    const [member = '', part = '', nth = ''] = pointer.slice(own.length + 1).split('/');
    const { nodes, edges } = rule.definition;
    const node = part === 'nodes' ? nodes[Number(nth)]?.id : part === 'edges' ? edges[Number(nth)]?.from : undefined;
    const known = member === 'definition' && nth !== '' && node !== undefined;
    if (known) append(ofNode, node, { level, code, detail });
    else if (member !== '' && member !== 'definition') append(ofMember, member, { level, code, detail });
    else ofWhole.push({ level, code, detail });
  };
  for (const each of report.errors) add('error', each);
  for (const each of report.warnings) add('warning', each);
  return { errors: counts.error, warnings: counts.warning, ofNode, ofMember, ofWhole };
}

function append(map: Map<string, Problem[]>, key: string, problem: Problem): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [problem]);
  else list.push(problem);
}

/** What was found for each rule of a validation, by its code. Rules without any are left out. */
export function problemsByRule(rules: readonly EditedRule[]): Map<string, readonly Problem[]> {
  const report = lintRules(rules);
  const found = new Map<string, Problem[]>();
  for (const level of ['error', 'warning'] as const) {
    for (const { pointer, code, detail } of level === 'error' ? report.errors : report.warnings) {
      const rule = rules[Number(pointer.split('/')[1])];
      if (rule !== undefined) append(found, rule.code, { level, code, detail });
    }
  }
  return found;
}

/** How many of each level. */
export function countOf(problems: readonly Problem[] = []): Pick<Problems, 'errors' | 'warnings'> {
  const errors = problems.filter(({ level }) => level === 'error').length;
  return { errors, warnings: problems.length - errors };
}
