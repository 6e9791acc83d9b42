import { Button, Title } from '@constancia/web';
import { DocumentPane } from '../document/document-pane.tsx';
import { useLanguage } from '../text/language.ts';

/** The document before anything is agreed to: one may want to know what it is about. */
export function FirstLook({ onClose }: { onClose: () => void }) {
  const { text } = useLanguage();
  return (
    <div className="signing-form" data-form-step="look" data-showing="both">
      <div className="panel">
        <Title>{text.document.label}</Title>
        <div className="actions held">
          <Button look="primary" onPress={onClose}>
            {text.page.back}
          </Button>
        </div>
      </div>
      <DocumentPane />
    </div>
  );
}
