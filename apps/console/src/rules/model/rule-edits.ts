import type { RuleDefinition } from '@constancia/rule-graph';
import type { RuleEdge, RuleNode } from './edited-rule.ts';

/** A definition after a change, and the node that it added. */
export interface Added {
  definition: RuleDefinition;
  id: string;
}

export const isWhen = (edge: RuleEdge, when: boolean): boolean => (edge.when ?? true) === when;

/** Where a condition leads when it is true, or false. */
export const targetsOf = ({ edges }: RuleDefinition, from: string, when: boolean): string[] =>
  edges.filter((edge) => edge.from === from && isWhen(edge, when)).map(({ to }) => to);

export const edgeOf = (from: string, to: string, when: boolean): RuleEdge => (when ? { from, to } : { from, to, when });

/** The same for ways that are the same. */
export const edgeKey = ({ from, to, when = true }: RuleEdge): string => `${from}|${when ? 'yes' : 'no'}|${to}`;

/** The nodes in the order in which they are reached; those of a circle at the end. */
export function orderOf({ nodes, edges }: RuleDefinition): RuleNode[] {
  const left = new Set(nodes);
  const order: RuleNode[] = [];
  for (;;) {
    const waiting = new Set(edges.filter(({ from }) => [...left].some(({ id }) => id === from)).map(({ to }) => to));
    const next = [...left].find(({ id }) => !waiting.has(id));
    if (next === undefined) return [...order, ...left];
    order.push(next);
    left.delete(next);
  }
}

/** A question that is asked once `from` is true, before what follows it: both have to be. */
export function addAfter(definition: RuleDefinition, from: string): Added {
  const id = freeId(definition, 'c');
  const follows = targetsOf(definition, from, true);
  const kept = definition.edges.filter((edge) => edge.from !== from || !isWhen(edge, true));
  const edges = [...kept, edgeOf(from, id, true), ...follows.map((to) => edgeOf(id, to, true))];
  return { id, definition: { nodes: [...definition.nodes, emptyCondition(id)], edges } };
}

/** A question beside `of`, reached from where that is, which leads to the same: one of them is enough. */
export function addAlternative(definition: RuleDefinition, of: string): Added {
  const id = freeId(definition, 'c');
  const before = definition.edges.filter(({ to }) => to === of).map((edge) => ({ ...edge, to: id }));
  const after = targetsOf(definition, of, true).map((to) => edgeOf(id, to, true));
  const nodes = [...definition.nodes, emptyCondition(id)];
  return { id, definition: { nodes, edges: [...definition.edges, ...before, ...after] } };
}

/** A question, or an outcome, that nothing leads to yet. */
export function addAlone(definition: RuleDefinition, type: RuleNode['type']): Added {
  const id = freeId(definition, type === 'condition' ? 'c' : 'a');
  const node: RuleNode = type === 'condition' ? emptyCondition(id) : { id, type };
  return { id, definition: { ...definition, nodes: [...definition.nodes, node] } };
}

export function changeNode(definition: RuleDefinition, changed: RuleNode): RuleDefinition {
  return { ...definition, nodes: definition.nodes.map((node) => (node.id === changed.id ? changed : node)) };
}

/** Without a node: what led to it alone leads to what followed it, where it was true. An alternative leaves no short cut. */
export function removeNode({ nodes, edges }: RuleDefinition, id: string): RuleDefinition {
  const before = edges.filter(({ to }) => to === id);
  const after = targetsOf({ nodes, edges }, id, true);
  const kept = edges.filter(({ from, to }) => from !== id && to !== id);
  const bridges = before
    .filter(({ from, when = true }) => !kept.some((edge) => edge.from === from && isWhen(edge, when)))
    .flatMap(({ from, when = true }) => after.map((to) => edgeOf(from, to, when)));
  return { nodes: nodes.filter((node) => node.id !== id), edges: withoutTwins([...kept, ...bridges]) };
}

/** Outcomes that no question leads to: they are decided always. */
export const unconditionalIn = ({ nodes, edges }: RuleDefinition): string[] =>
  nodes.filter(({ id, type }) => type === 'action' && !edges.some(({ to }) => to === id)).map(({ id }) => id);

/** What only follows a node when it is not true: nothing would lead there without the node. Empty where it also leads on when true. */
export function leftBehind(definition: RuleDefinition, id: string): string[] {
  if (targetsOf(definition, id, true).length > 0) return [];
  const reached = (to: string): boolean => definition.edges.some((edge) => edge.to === to && edge.from !== id);
  return targetsOf(definition, id, false).filter((to) => !reached(to));
}

export function connect(definition: RuleDefinition, edge: RuleEdge): RuleDefinition {
  return { ...definition, edges: withoutTwins([...definition.edges, edge]) };
}

export function disconnect(definition: RuleDefinition, gone: RuleEdge): RuleDefinition {
  return { ...definition, edges: definition.edges.filter((edge) => edgeKey(edge) !== edgeKey(gone)) };
}

const emptyCondition = (id: string): RuleNode => ({ id, type: 'condition', predicate: 'subject_age_gte' });

function freeId({ nodes }: RuleDefinition, letter: string): string {
  const taken = new Set(nodes.map(({ id }) => id));
  let count = 1;
  while (taken.has(`${letter}${count}`)) count += 1;
  return `${letter}${count}`;
}

function withoutTwins(edges: RuleEdge[]): RuleEdge[] {
  const byKey = new Map(edges.map((edge) => [edgeKey(edge), edge]));
  return [...byKey.values()];
}
