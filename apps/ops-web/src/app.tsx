import { Frame, Title } from '@constancia/web';
import { type ReactNode, useEffect, useState } from 'react';
import { OpsProvider } from './ops.tsx';
import type { OpsSession } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { useText } from './text/language.ts';
import { AuditView } from './views/audit.tsx';
import { DeliveriesView } from './views/deliveries.tsx';
import { EndpointsView } from './views/endpoints.tsx';
import { GrantsView } from './views/grants.tsx';
import { LagView } from './views/lag.tsx';
import { LedgerView } from './views/ledger.tsx';
import { CasesView, ListsView, SealsView } from './views/modules.tsx';
import { ReplaysView } from './views/replays.tsx';
import { TenantsView } from './views/tenants.tsx';
import { TraceView } from './views/trace.tsx';

/** In the order of the navigation. */
const VIEWS = {
  lag: LagView,
  deliveries: DeliveriesView,
  replay: ReplaysView,
  endpoints: EndpointsView,
  tenants: TenantsView,
  grants: GrantsView,
  ledger: LedgerView,
  lists: ListsView,
  cases: CasesView,
  seals: SealsView,
  trace: TraceView,
  audit: AuditView,
} satisfies Record<string, (props: { id: string }) => ReactNode>;

type Section = keyof typeof VIEWS;
const SECTIONS = Object.keys(VIEWS) as Section[];

/** What a process must answer for a section to be shown; the others are the platform's. */
const REQUIRED_PATHS: Partial<Record<Section, string>> = {
  lag: '/ops/lag',
  grants: '/ops/grants',
  lists: '/ops/lists',
  cases: '/ops/cases/overdue',
  seals: '/ops/seals',
};

/** The operators' page: a token, then one view per section. The address after # says which: it can be kept and sent on, the token not. */
export function App() {
  const { text } = useText();
  const [session, setSession] = useState<OpsSession | null>(null);
  const place = usePlace();
  useEffect(() => {
    document.title = `${text.title} · Constancia`;
  }, [text]);
  if (session === null) {
    return (
      <Frame>
        <Title key="sign-in">{text.signIn}</Title>
        <SignIn onSession={setSession} />
      </Frame>
    );
  }
  const sections = SECTIONS.filter((name) => session.offers(REQUIRED_PATHS[name] ?? '/ops/audit'));
  const [wanted, ...rest] = place.split('/');
  const section = sections.find((name) => name === wanted) ?? 'lag';
  const View = VIEWS[section];
  return (
    <Frame
      head={<SignedIn operator={session.operator} onLeave={() => setSession(null)} />}
      navigation={<Navigation sections={sections} current={section} />}
    >
      <Title key={place}>{text.sections[section]}</Title>
      <OpsProvider session={session} place={place}>
        <View key={place} id={section === wanted ? rest.join('/') : ''} />
      </OpsProvider>
    </Frame>
  );
}

function SignedIn({ operator, onLeave }: { operator: string; onLeave: () => void }) {
  const { text } = useText();
  return (
    <>
      <strong>{text.page.name}</strong> {operator}{' '}
      <button type="button" className="language" onClick={onLeave}>
        {text.signOut}
      </button>
    </>
  );
}

function Navigation({ sections, current }: { sections: readonly Section[]; current: Section }) {
  const { text } = useText();
  return (
    <nav aria-label={text.navigation}>
      <ul>
        {sections.map((name) => (
          <li key={name}>
            <a href={`#${name}`} aria-current={name === current ? 'page' : undefined}>
              {text.sections[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What stands behind "#". */
function usePlace(): string {
  const [place, setPlace] = useState(placeInAddress);
  useEffect(() => {
    const change = (): void => setPlace(placeInAddress());
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return place;
}

/** Nothing when it is no encoded text, as in a link that was cut. */
function placeInAddress(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}
