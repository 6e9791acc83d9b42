import { Frame } from '@constancia/web';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../text/language.ts';
import { useMay, useSignedIn } from '../member/member.tsx';
import { Bell } from './bell.tsx';
import { NAVIGATION } from './sections.ts';
import { useMessagesOfPage } from './use-messages-of-page.ts';

/** What every screen stands in: the tenant, who is signed in, and the sections that their role may open. */
export function Shell() {
  const { text, roleOf } = useText();
  const { tenant, member } = useSignedIn().view;
  useMessagesOfPage();
  return (
    <Frame
      head={
        <div className="tenant">
          <strong>{tenant.name}</strong>
          <span className={`environment ${tenant.environment}`}>{text.environments[tenant.environment]}</span>
          <span className="zone">{text.zone}</span>
          <Link to="/account" className="member">
            {member.name} <small>{roleOf(member.role)}</small>
          </Link>
        </div>
      }
      tools={<Bell />}
      navigation={<Navigation />}
    >
      <Outlet />
    </Frame>
  );
}

function Navigation() {
  const { text } = useText();
  const may = useMay();
  const [open, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  // The list may be taller than the screen.
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  const groups = NAVIGATION.map(({ group, entries }) => ({
    group,
    entries: entries.filter(({ scopes }) => scopes === null || scopes.some(may)),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <nav className={open ? 'sections open' : 'sections'} aria-label={text.navigation.title}>
      <button type="button" className="button quiet menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? text.navigation.close : text.navigation.open}
      </button>
      <div className="groups" ref={list}>
        {groups.map(({ group, entries }) => (
          <section key={group} aria-labelledby={`nav-${group}`}>
            <h2 id={`nav-${group}`} className={group === 'start' ? 'unseen' : undefined}>
              {text.navigation.groups[group]}
            </h2>
            <ul>
              {entries.map(({ to, name, exact }) => (
                <li key={to}>
                  <Link to={to} activeOptions={{ exact }} onClick={() => setOpen(false)}>
                    {text.navigation.entries[name]}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}
