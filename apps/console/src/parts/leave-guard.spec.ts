import { LanguageProvider } from '@constancia/web';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { createElement, isValidElement, type ReactElement, type ReactNode, type ReactPortal } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MESSAGES } from '../text/language.ts';
import { hostHook } from './hosted-hook.fixture.ts';
import { useLeaveGuard } from './leave-guard.tsx';

const { leave } = MESSAGES['es-CO'];

/** The guard on /here, in a router of its own; `guarded` may be changed before the next leave. */
async function guardOn(guarded: { unsaved: boolean; isLosing?: () => boolean; survivesSearch?: boolean }) {
  const root = createRootRoute();
  const paths = ['/here', '/there'].map((path) => createRoute({ getParentRoute: () => root, path }));
  const history = createMemoryHistory({ initialEntries: ['/here'] });
  const router = createRouter({ routeTree: root.addChildren(paths), history });
  const hosted = await hostHook(
    () => useLeaveGuard(guarded),
    (hook) =>
      createElement(LanguageProvider, {
        messages: MESSAGES,
        children: createElement(RouterContextProvider, { router: router as never, children: hook }),
      }),
  );
  const leaveTo = (to: string) => hosted.run(() => void history.push(to));
  const press = (label: string) => hosted.run(() => buttonIn(hosted.now().dialog, label).props.onPress());
  return { ...hosted, history, leaveTo, press, isAsked: () => hosted.now().dialog !== false };
}

/** A button of the dialog as it would be drawn. */
function buttonIn(shown: ReactNode, label: string): ReactElement<{ onPress: () => void }> {
  const found: ReactElement<{ onPress: () => void }>[] = [];
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look);
    if (!isValidElement<{ children?: unknown; onPress?: unknown }>(node)) return;
    if (node.props.children === label) found.push(node as ReactElement<{ onPress: () => void }>);
    look(node.props.children);
  };
  look((shown as ReactPortal).children);
  return found[0] as ReactElement<{ onPress: () => void }>;
}

describe('leaving a page', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('asks while something would be lost: staying keeps the page, leaving goes on', async () => {
    const { history, leaveTo, press, isAsked, unmount } = await guardOn({ unsaved: true });
    expect(isAsked()).toBe(false);
    await leaveTo('/there');
    expect([isAsked(), history.location.pathname]).toEqual([true, '/here']);
    await press(leave.stay);
    expect([isAsked(), history.location.pathname]).toEqual([false, '/here']);
    await leaveTo('/there');
    await press(leave.go);
    expect([isAsked(), history.location.pathname]).toEqual([false, '/there']);
    await unmount();
  });

  it('does not ask when nothing is lost, when it is saved, or when only the search of the address changes', async () => {
    const clean = await guardOn({ unsaved: true, isLosing: () => false });
    await clean.leaveTo('/there');
    expect(clean.history.location.pathname).toBe('/there');
    await clean.unmount();

    const saved = await guardOn({ unsaved: true });
    await saved.run(() => saved.now().letPass());
    await saved.leaveTo('/there');
    expect(saved.history.location.pathname).toBe('/there');
    await saved.unmount();

    const filtered = await guardOn({ unsaved: true, survivesSearch: true });
    await filtered.leaveTo('/here?status=open');
    expect(filtered.history.location.href).toBe('/here?status=open');
    await filtered.leaveTo('/there');
    expect([filtered.isAsked(), filtered.history.location.pathname]).toEqual([true, '/here']);
    await filtered.unmount();
  });
});
