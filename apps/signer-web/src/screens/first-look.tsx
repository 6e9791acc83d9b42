import { DocumentPane } from '../document/document-pane.tsx';
import { Button } from '../parts/button.tsx';
import { Title } from '../parts/title.tsx';
import { useLanguage } from '../text/language.tsx';

/** The document before anything is agreed to: one may want to know what it is about. */
export function FirstLook({ onClose }: { onClose: () => void }) {
  const { text } = useLanguage();
  return (
    <div className="desk" data-stretch="look" data-showing="both">
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
