import type { Action, Condition, Graph } from '../graph/graph.ts';
import { predicateOf, PREDICATE_NAMES } from '../predicates/predicates.ts';
import type { ValueProblem } from '../predicates/value-types.ts';
import { DECISIONS } from '../rule.ts';
import type { Decision } from '../rule.ts';
import { checkStructure } from './check-structure.ts';
import type { ParsedEdge, ParsedNode } from './parsed-graph.ts';
import type { Problems } from './problems.ts';

const MAX_NODES = 200;
const MAX_EDGES = 400;
const MAX_BYTES = 64 * 1024;
export const MAX_SCORE = 1_000_000;
/** The same, for descriptions of the API. `reason`: characters. */
export const DEFINITION_LIMITS = {
  nodes: MAX_NODES,
  edges: MAX_EDGES,
  bytes: MAX_BYTES,
  score: MAX_SCORE,
  reason: 500,
} as const;
const NODE_ID = /^[A-Za-z0-9_.:-]{1,64}$/;
const REASON = /^[^\p{Cc}]{0,500}$/u;
const NODE_MEMBERS = {
  condition: ['id', 'type', 'predicate', 'value'],
  action: ['id', 'type', 'decision', 'score', 'reason'],
};

/** Reads a definition and reports every error in it. The graph; undefined when there is any error. */
export function parseDefinition(raw: unknown, problems: Problems): Graph | undefined {
  const before = problems.report.errors.length;
  const definition = problems.object(raw, 'A definition');
  if (!definition) return undefined;
  problems.noOthers(definition, ['nodes', 'edges']);
  const isLarge = checkSize(definition, problems);
  const nodes = (problems.at('nodes').list(definition.nodes, 'nodes') ?? []).map((node, position) =>
    parseNode(node, position, problems.at('nodes', position)),
  );
  const rawEdges = problems.at('edges').list(definition.edges, 'edges') ?? [];
  const edges = parseEdges(rawEdges, nodes, problems);
  // Paths of circles in a graph without bounds would be a way to keep a process busy.
  if (Array.isArray(definition.nodes) && !isLarge) checkStructure(nodes, edges, problems);
  if (problems.report.errors.length > before) return undefined;
  return {
    nodes: nodes.map(({ node }) => node as Condition | Action),
    edges: edges.map(({ from, to, when }) => ({ from, to, when })),
  };
}

function checkSize(definition: Record<string, unknown>, problems: Problems): boolean {
  const before = problems.report.errors.length;
  const { nodes, edges } = definition;
  if (Array.isArray(nodes) && nodes.length > MAX_NODES)
    problems.at('nodes').error('too_large', `A graph has at most ${MAX_NODES} nodes, not ${nodes.length}.`);
  if (Array.isArray(edges) && edges.length > MAX_EDGES)
    problems.at('edges').error('too_large', `A graph has at most ${MAX_EDGES} edges, not ${edges.length}.`);
  const bytes = new TextEncoder().encode(JSON.stringify(definition)).length;
  if (bytes > MAX_BYTES)
    problems.error('too_large', `A definition has at most ${MAX_BYTES} bytes of JSON, not ${bytes}.`);
  return problems.report.errors.length > before;
}

function parseNode(raw: unknown, position: number, problems: Problems): ParsedNode {
  const parsed: ParsedNode = { position, id: undefined, type: undefined, node: undefined };
  const node = problems.object(raw, 'A node');
  if (!node) return parsed;
  const before = problems.report.errors.length;
  parsed.id = problems.at('id').text(node.id, 'A node id', NODE_ID, '1 to 64 letters, digits, _ . : -');
  if (node.type !== 'condition' && node.type !== 'action') {
    problems.at('type').error('unknown_node_type', 'The type of a node is condition or action.');
    return parsed;
  }
  parsed.type = node.type;
  problems.noOthers(node, NODE_MEMBERS[node.type]);
  const read = node.type === 'condition' ? parseCondition(node, problems) : parseAction(node, problems);
  if (read && problems.report.errors.length === before) parsed.node = { ...read, id: parsed.id as string };
  return parsed;
}

function parseCondition(node: Record<string, unknown>, problems: Problems): Condition | undefined {
  const predicateName = node.predicate;
  const predicate = typeof predicateName === 'string' ? predicateOf(predicateName) : undefined;
  if (typeof predicateName !== 'string' || !predicate)
    return problems
      .at('predicate')
      .error('unknown_predicate', `There is no such predicate; known: ${PREDICATE_NAMES.join(', ')}.`);
  const wrong: ValueProblem[] = [];
  const value = predicate.value.parse(node.value, wrong);
  for (const each of wrong) problems.at('value').relative(each);
  return { kind: 'condition', id: '', predicateName, predicate, value };
}

function parseAction(node: Record<string, unknown>, problems: Problems): Action {
  const optional = <T>(member: string, read: (at: Problems, raw: unknown) => T | undefined): T | undefined =>
    node[member] === undefined || node[member] === null ? undefined : read(problems.at(member), node[member]);
  return {
    kind: 'action',
    id: '',
    decision: optional<Decision>('decision', (at, raw) => at.oneOf(raw, 'A decision', DECISIONS)),
    score: optional('score', (at, raw) => at.integer(raw, 'A score', 0, MAX_SCORE)),
    reason: optional('reason', (at, raw) => at.text(raw, 'A reason', REASON, 'at most 500 characters of text')),
  };
}

function parseEdges(raw: unknown[], nodes: ParsedNode[], problems: Problems): ParsedEdge[] {
  // The first of several nodes with one id is meant; that there are several is an error of its own.
  const byId = new Map(nodes.toReversed().map((node) => [node.id, node.position]));
  byId.delete(undefined);
  const edges = raw.map((each, position) => parseEdge(each, position, byId, problems.at('edges', position)));
  return edges.filter((edge) => edge !== undefined);
}

function parseEdge(
  raw: unknown,
  position: number,
  byId: ReadonlyMap<string | undefined, number>,
  problems: Problems,
): ParsedEdge | undefined {
  const edge = problems.object(raw, 'An edge');
  if (!edge) return undefined;
  problems.noOthers(edge, ['from', 'to', 'when']);
  const [from, to] = (['from', 'to'] as const).map((end) => {
    const id = edge[end];
    if (typeof id !== 'string')
      return problems.at(end).error(id === undefined ? 'required' : 'wrong_type', `${end} is the id of a node.`);
    return byId.get(id) ?? problems.at(end).error('dangling_edge', `There is no node ${JSON.stringify(id)}.`);
  });
  if (edge.when !== undefined && typeof edge.when !== 'boolean')
    problems.at('when').error('wrong_type', 'when is true or false; left out, it is true.');
  return from === undefined || to === undefined ? undefined : { position, from, to, when: edge.when !== false };
}
