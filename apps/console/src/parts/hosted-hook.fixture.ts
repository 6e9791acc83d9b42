import { act, createElement, type ReactNode } from 'react';
import { vi } from 'vitest';

const deaf = { addEventListener: () => undefined, removeEventListener: () => undefined };
const element = (ownerDocument: object) => ({ ...deaf, ownerDocument, nodeType: 1, nodeName: 'DIV', tagName: 'DIV' });

/** A document in which nothing can be drawn: enough for React to run what draws nothing. `vi.unstubAllGlobals` takes it away. */
function stubDocument(): Element {
  const page = { ...deaf, nodeType: 9, activeElement: null, defaultView: globalThis, documentElement: {} };
  Object.assign(page, { body: element(page) });
  const globals = {
    self: globalThis,
    window: globalThis,
    document: page,
    location: { search: '' },
    HTMLIFrameElement: class {},
    ...deaf,
  };
  for (const [name, value] of Object.entries({ ...globals, IS_REACT_ACT_ENVIRONMENT: true }))
    vi.stubGlobal(name, value);
  return element(page) as unknown as Element;
}

export interface HostedHook<Answer> {
  /** What the hook answered last. */
  now: () => Answer;
  /** Does something, and waits until React has done what follows from it. */
  run: (work: () => unknown) => Promise<void>;
  unmount: () => Promise<void>;
}

/** Runs a hook in React itself. `around`: the contexts that it needs. */
export async function hostHook<Answer>(
  hook: () => Answer,
  around: (hosted: ReactNode) => ReactNode,
): Promise<HostedHook<Answer>> {
  const container = stubDocument();
  const { createRoot } = await import('react-dom/client');
  const root = createRoot(container);
  const answers: Answer[] = [];
  const Hosted = (): null => {
    answers.push(hook());
    return null;
  };
  const run = (work: () => unknown): Promise<void> =>
    act(async () => {
      await work();
      await new Promise((resolve) => setTimeout(resolve)); // what it began without saying so
    });
  await run(() => root.render(around(createElement(Hosted))));
  return { now: () => answers.at(-1) as Answer, run, unmount: () => run(() => root.unmount()) };
}
