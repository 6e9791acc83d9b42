import { incomingEdges, outgoingEdges } from '../graph/graph.ts';
import type { ParsedEdge, ParsedNode } from './parsed-graph.ts';
import type { Problems } from './problems.ts';

/** Reports what is wrong with the shape of a graph, whatever is wrong inside its nodes. */
export function checkStructure(nodes: ParsedNode[], edges: ParsedEdge[], problems: Problems): void {
  duplicateIds(nodes, problems);
  wrongEdges(nodes, edges, problems);
  if (!nodes.some(({ type }) => type === 'action'))
    problems.at('nodes').error('no_action', 'A graph needs an action: without one it never decides anything.');
  const others = edges.filter(({ from, to }) => from !== to);
  cycles(nodes, others, problems);
  starts(nodes, others, problems);
}

const nameOf = (node: ParsedNode) => node.id ?? `#${node.position}`;

function duplicateIds(nodes: ParsedNode[], problems: Problems): void {
  const first = new Map<string, number>();
  for (const { id, position } of nodes) {
    if (id === undefined) continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, position);
    else problems.at('nodes', position, 'id').error('duplicate_node_id', `Node ${earlier} has the id ${id}, too.`);
  }
}

function wrongEdges(nodes: ParsedNode[], edges: ParsedEdge[], problems: Problems): void {
  const seen = new Set<string>();
  for (const { position, from, to, when } of edges) {
    const at = problems.at('edges', position);
    const node = nodes[from] as ParsedNode;
    if (from === to) at.error('self_loop', `Node ${nameOf(node)} leads to itself.`);
    if (node.type === 'action')
      at.at('from').error(
        'action_with_outgoing_edge',
        `Action ${nameOf(node)} is an end; edges leave conditions only.`,
      );
    const key = `${from} ${to} ${when}`;
    if (seen.has(key)) at.error('duplicate_edge', 'The same edge was given before.');
    seen.add(key);
  }
}

function starts(nodes: ParsedNode[], edges: ParsedEdge[], problems: Problems): void {
  const incoming = incomingEdges({ nodes, edges });
  const outgoing = outgoingEdges({ nodes, edges });
  const reached = new Set<number>();
  const open = nodes.filter((_, position) => incoming[position]?.length === 0).map(({ position }) => position);
  if (open.length === 0) problems.at('nodes').error('no_start', 'Every node has an incoming edge: nothing is first.');
  for (let position = open.pop(); position !== undefined; position = open.pop()) {
    if (reached.has(position)) continue;
    reached.add(position);
    for (const edge of outgoing[position] ?? []) open.push(edge.to);
  }
  for (const node of nodes)
    if (!reached.has(node.position))
      problems.at('nodes', node.position).error('unreachable_node', `No start leads to node ${nameOf(node)}.`);
}

/** One path for each edge that closes a circle in a walk over the graph, so at least one for every circle. */
function cycles(nodes: ParsedNode[], edges: ParsedEdge[], problems: Problems): void {
  const outgoing = outgoingEdges({ nodes, edges }) as ParsedEdge[][];
  const state = new Uint8Array(nodes.length); // 0 new, 1 on the path, 2 done
  for (const { position: root } of nodes) {
    const path: { position: number; next: number }[] = [];
    const enter = (position: number) => {
      state[position] = 1;
      path.push({ position, next: 0 });
    };
    if (state[root] === 0) enter(root);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const edge: ParsedEdge | undefined = outgoing[last.position]?.[last.next++];
      if (!edge) {
        state[last.position] = 2;
        path.pop();
      } else if (state[edge.to] === 0) enter(edge.to);
      else if (state[edge.to] === 1) {
        const round = path.slice(path.findIndex(({ position }) => position === edge.to));
        const names = [...round.map(({ position }) => position), edge.to].map((at) => nameOf(nodes[at] as ParsedNode));
        problems.at('edges', edge.position).error('cycle', `These nodes lead back to the first: ${names.join(' → ')}.`);
      }
    }
  }
}
