import { createRootRouteWithContext, Link, retainSearchParams } from '@tanstack/react-router';
import { PageHead } from '../parts/page-head.tsx';
import { useText } from '../text/language.ts';
import type { LoadingContext } from './list-loading.ts';
import { Shell } from './shell.tsx';

interface LanguageSearch {
  lang?: 'es' | 'en';
}

/** Above every screen: the chosen language stays in the address. */
export const rootRoute = createRootRouteWithContext<LoadingContext>()({
  component: Shell,
  notFoundComponent: NoSuchPage,
  validateSearch: ({ lang }: Record<string, unknown>): LanguageSearch =>
    lang === 'es' || lang === 'en' ? { lang } : {},
  search: { middlewares: [retainSearchParams(['lang'])] },
});

function NoSuchPage() {
  const { text } = useText();
  return (
    <>
      <PageHead title={text.noSuchPage.title} />
      <p>
        {text.noSuchPage.lead} <Link to="/home">{text.navigation.entries.home}</Link>
      </p>
    </>
  );
}
