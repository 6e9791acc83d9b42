import { Component, type ReactNode } from 'react';
import { useLanguageOf } from '../language.tsx';
import { Button } from './button.tsx';
import { Frame } from './frame.tsx';
import { Screen } from './screen.tsx';

interface Broken {
  broken: boolean;
}

/** When the page itself fails, it says so instead of going white. What the server knows is not touched by it. */
export class ErrorBoundary extends Component<{ children: ReactNode }, Broken> {
  override state: Broken = { broken: false };

  static getDerivedStateFromError(): Broken {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? <BrokenScreen /> : this.props.children;
  }
}

function BrokenScreen() {
  const { text } = useLanguageOf();
  return (
    <Frame>
      <Screen sign="stop" title={text.broken.title} lead={text.broken.lead}>
        <div className="actions">
          <Button look="primary" onPress={() => location.reload()}>
            {text.broken.reload}
          </Button>
        </div>
      </Screen>
    </Frame>
  );
}
