import type { RuleDefinition } from '@constancia/rule-graph';
import { type Edge, Handle, MarkerType, type Node, type NodeProps, Position } from '@xyflow/react';
import type { EditedRule, RuleEdge, RuleNode } from '../model/edited-rule.ts';
import { layoutOf, NODE_SIZE } from '../model/layout.ts';
import type { Problems } from '../model/problems.ts';
import { edgeKey } from '../model/rule-edits.ts';
import { useSentences } from '../parts/sentences.ts';
import { useRuleText } from '../text/language.ts';

interface NodeContent extends Record<string, unknown> {
  node: RuleNode;
  rule: EditedRule;
  level: 'error' | 'warning' | null;
}
type DrawnNode = Node<NodeContent, 'rule'>;
type Words = ReturnType<typeof useRuleText>['words'];

/** The way that an edge of the drawing stands for. */
export const edgeIn = ({ edges }: RuleDefinition, id: string): RuleEdge | undefined =>
  edges.find((edge) => edgeKey(edge) === id);

interface Drawing {
  rule: EditedRule;
  problems: Problems;
  selected: string | null;
  words: Words;
  sentenceOf: (node: RuleNode) => string;
}

/** A rule as nodes and edges with their places. */
export function drawn({ rule, problems, selected, words, sentenceOf }: Drawing): { nodes: DrawnNode[]; edges: Edge[] } {
  const { definition } = rule;
  const places = layoutOf(definition);
  const ids = new Set(definition.nodes.map(({ id }) => id));
  const nodes = definition.nodes.map((node): DrawnNode => {
    const found = problems.ofNode.get(node.id) ?? [];
    const level = found.some((each) => each.level === 'error') ? 'error' : found.length > 0 ? 'warning' : null;
    return {
      id: node.id,
      type: 'rule',
      position: places.get(node.id) ?? { x: 0, y: 0 },
      ...NODE_SIZE,
      selected: node.id === selected,
      ariaLabel: [node.id, sentenceOf(node), level !== null && words[level]].filter(Boolean).join(', '),
      data: { node, rule, level },
    };
  });
  const edges = definition.edges
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .map((edge): Edge => {
      const when = (edge.when ?? true) ? 'yes' : 'no';
      return {
        id: edgeKey(edge),
        source: edge.from,
        target: edge.to,
        sourceHandle: when,
        label: words.graph[when],
        className: when,
        ariaLabel: words.graph.edge(edge.from, words.graph[when], edge.to),
        markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, color: 'var(--strong-line)' },
      };
    });
  return { nodes, edges };
}

/** A question with its ways out, or an outcome. */
function RuleNodeBox({ data: { node, rule, level }, isConnectable }: NodeProps<DrawnNode>) {
  const { words, number } = useRuleText();
  const { titleOf, askedOf } = useSentences();
  const isCondition = node.type === 'condition';
  const decision = isCondition ? null : (node.decision ?? rule.severity);
  const title = isCondition ? titleOf(node) : words.decisions[node.decision ?? rule.severity];
  const detail = isCondition
    ? askedOf(node)
    : [words.points(number(node.score ?? rule.score)), node.reason].filter(Boolean).join(' · ');
  return (
    <div className={`graph-node ${node.type} ${decision ?? ''}`}>
      <Handle type="target" position={Position.Top} isConnectable={isConnectable} />
      <small>
        {node.id}
        {level !== null && <span className={`level ${level}`}> · {words[level]}</span>}
      </small>
      <strong>{title}</strong>
      <span className="detail">{detail}</span>
      {isCondition && (
        <>
          <Handle type="source" id="yes" position={Position.Bottom} isConnectable={isConnectable} className="yes">
            <span>{words.graph.yes}</span>
          </Handle>
          <Handle type="source" id="no" position={Position.Bottom} isConnectable={isConnectable} className="no">
            <span>{words.graph.no}</span>
          </Handle>
        </>
      )}
    </div>
  );
}

export const NODE_TYPES = { rule: RuleNodeBox };
