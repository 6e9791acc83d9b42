import type { RuleDefinition } from '@constancia/rule-graph';
import { Button, useAnnounce } from '@constancia/web';
import type { RuleNode } from '../model/edited-rule.ts';
import { addAfter, addAlternative, type Added } from '../model/rule-edits.ts';
import { useRuleText } from '../text/language.ts';

interface NodeActionsProps {
  node: RuleNode;
  definition: RuleDefinition;
  onDefinition: (definition: RuleDefinition) => void;
  onRemove: (id: string) => void;
  /** What was added, to go on there. */
  onGoTo: (id: string) => void;
}

/** Buttons that add a question after a node, add an alternative to it, or remove it. */
export function NodeActions({ node, definition, onDefinition, onRemove, onGoTo }: NodeActionsProps) {
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
          <Button look="quiet" label={words.editor.orOf(id)} onPress={() => add(addAlternative(definition, id))}>
            {words.editor.or}
          </Button>
        </>
      )}
      <Button look="quiet" label={words.editor.removeOf(id)} onPress={() => onRemove(id)}>
        {words.remove}
      </Button>
    </div>
  );
}
