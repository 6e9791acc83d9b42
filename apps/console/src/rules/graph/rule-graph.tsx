import '@xyflow/react/dist/base.css';
import './graph.css';
import { type Connection, ReactFlow } from '@xyflow/react';
import { Button, useAnnounce } from '@constancia/web';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { NodeActions } from '../fields/node-actions.tsx';
import { fieldId } from '../fields/node-fields.tsx';
import type { RuleNode } from '../model/edited-rule.ts';
import type { Problems } from '../model/problems.ts';
import { addAfter, addAlone, addAlternative, connect, disconnect, edgeOf } from '../model/rule-edits.ts';
import type { Editing } from '../model/use-edited-rule.ts';
import { useRuleText } from '../text/language.ts';
import { useSentences } from '../parts/sentences.ts';
import { drawn, edgeIn, NODE_TYPES } from './drawing.tsx';
import { NodePanel } from './node-panel.tsx';
import { FIT, ZoomButtons } from './zoom-buttons.tsx';

interface RuleGraphProps {
  editing: Editing;
  problems: Problems;
  disabled: boolean;
  /** Removes a node; the callback once it is gone. */
  remove: (id: string, done: () => void) => void;
}

/** Where the focus goes once what changed is drawn. */
type GoTo = { node: string } | { field: string } | 'help';

/** The rule as a graph, with a panel for the selected node. The layout is computed from the edges and not stored. */
export function RuleGraph({ editing, problems, disabled, remove: removeNode }: RuleGraphProps) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const frame = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<string | null>(null);
  const [goTo, setGoTo] = useState<GoTo | null>(null);
  const { rule, changeDefinition } = editing;
  const { definition } = rule;
  const help = disabled ? words.graph.readOnlyHelp : words.graph.help;
  const { sentenceOf } = useSentences();
  const { nodes, edges } = drawn({ rule, problems, selected, words, sentenceOf });
  const node = definition.nodes.find(({ id }) => id === selected);

  useEffect(() => {
    if (goTo === null) return;
    if (goTo === 'help') frame.current?.focus();
    else if ('field' in goTo) document.getElementById(fieldId(goTo.field))?.focus();
    else frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(goTo.node)}"]`)?.focus();
    setGoTo(null);
  }, [goTo]);

  const add = (added: { definition: typeof definition; id: string }): void => {
    changeDefinition(added.definition);
    setSelected(added.id);
    setGoTo({ field: added.id });
    announce(words.editor.added(added.id));
  };
  const remove = (id: string): void => {
    const before = definition.edges.find(({ to }) => to === id)?.from;
    removeNode(id, () => {
      setSelected(null);
      setGoTo(before === undefined ? 'help' : { node: before });
    });
  };
  const cut = (id: string): void => {
    const edge = edgeIn(definition, id);
    if (edge === undefined) return;
    changeDefinition(disconnect(definition, edge));
    setGoTo({ node: edge.from });
    announce(words.editor.disconnected(edge.from, edge.to));
  };
  const onConnect = ({ source, target, sourceHandle }: Connection): void => {
    if (disabled || source === target) return;
    changeDefinition(connect(definition, edgeOf(source, target, sourceHandle !== 'no')));
    announce(words.editor.connected(source, target));
  };

  const onNodeKey = (event: KeyboardEvent, of: RuleNode): void => {
    const does: Record<string, (() => void) | undefined> = {
      Enter: () => {
        setSelected(of.id);
        setGoTo({ field: of.id });
      },
      ...(!disabled && {
        Delete: () => remove(of.id),
        Backspace: () => remove(of.id),
        ...(of.type === 'condition' && {
          a: () => add(addAfter(definition, of.id)),
          o: () => add(addAlternative(definition, of.id)),
        }),
      }),
    };
    take(event, does[event.key.length === 1 ? event.key.toLowerCase() : event.key]);
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
    const at = definition.nodes.find(({ id }) => id === (event.target as HTMLElement).dataset.id);
    if (event.target.matches('.react-flow__node') && at !== undefined) onNodeKey(event, at);
    else if (
      event.target.matches('.react-flow__edge') &&
      !disabled &&
      (event.key === 'Delete' || event.key === 'Backspace')
    )
      take(event, () => cut((event.target as HTMLElement).dataset.id ?? ''));
  };

  return (
    <div className="rule-graph">
      <p className="help">{help}</p>
      <div className="graph-columns">
        <div
          ref={frame}
          className="graph"
          role="group"
          aria-label={words.graph.title}
          tabIndex={-1}
          onKeyDownCapture={onKey}
        >
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            onNodeClick={(_, { id }) => setSelected(id)}
            onPaneClick={() => setSelected(null)}
            onConnect={onConnect}
            nodesDraggable={false}
            nodesConnectable={!disabled}
            deleteKeyCode={null}
            selectionKeyCode={null}
            multiSelectionKeyCode={null}
            zoomOnScroll={false}
            preventScrolling={false}
            minZoom={0.2}
            maxZoom={1.5}
            fitView
            fitViewOptions={FIT}
            ariaLabelConfig={{
              'node.a11yDescription.default': help,
              'node.a11yDescription.keyboardDisabled': help,
              'edge.a11yDescription.default': help,
            }}
          >
            <ZoomButtons count={nodes.length} />
          </ReactFlow>
        </div>
        <section className="card graph-side" aria-label={words.graph.side}>
          {node === undefined ? (
            <p className="help">{words.graph.nothing}</p>
          ) : (
            <>
              <NodePanel {...{ editing, problems, disabled, node }} onLeave={() => setGoTo({ node: node.id })} />
              {!disabled && (
                <NodeActions
                  {...{ node, definition }}
                  onDefinition={changeDefinition}
                  onRemove={remove}
                  onGoTo={(id) => {
                    setSelected(id);
                    setGoTo({ field: id });
                  }}
                />
              )}
            </>
          )}
          {!disabled && (
            <div className="actions small">
              <Button onPress={() => add(addAlone(definition, 'condition'))}>{words.editor.addCondition}</Button>
              <Button onPress={() => add(addAlone(definition, 'action'))}>{words.editor.addAction}</Button>
            </div>
          )}
        </section>
      </div>
    </div>
  );
}

/** Does what the key is for, before the drawing reads it. */
function take(event: KeyboardEvent, action: (() => void) | undefined): void {
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}
