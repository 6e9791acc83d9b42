import type { RuleDefinition } from '@constancia/rule-graph';
import { Button, useAnnounce } from '@constancia/web';
import type { RuleNode } from '../model/edited-rule.ts';
import { addAfter, addBeside, type Added, removeNode } from '../model/rule-edits.ts';
import { useRuleText } from '../text/language.ts';

interface NodeActionsProps {
  node: RuleNode;
  definition: RuleDefinition;
  onDefinition: (definition: RuleDefinition) => void;
  /** What was added, to go on there; null: the node was removed. */
  onGoTo: (id: string | null) => void;
}

/** One more question after a node or beside it, and the way to remove it. */
export function NodeActions({ node, definition, onDefinition, onGoTo }: NodeActionsProps) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const { id } = node;
  const add = ({ definition: changed, id: added }: Added): void => {
    onDefinition(changed);
    onGoTo(added);
    announce(words.editor.added(added));
  };
  return (
    <div className="row-actions">
      {node.type === 'condition' && (
        <>
          <Button look="quiet" label={words.editor.andOf(id)} onPress={() => add(addAfter(definition, id))}>
            {words.editor.and}
          </Button>
          <Button look="quiet" label={words.editor.orOf(id)} onPress={() => add(addBeside(definition, id))}>
            {words.editor.or}
          </Button>
        </>
      )}
      <Button
        look="quiet"
        label={words.editor.removeOf(id)}
        onPress={() => {
          onDefinition(removeNode(definition, id));
          onGoTo(null);
          announce(words.editor.nodeRemoved(id));
        }}
      >
        {words.remove}
      </Button>
    </div>
  );
}
