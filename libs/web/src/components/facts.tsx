import { Fragment, type ReactNode } from 'react';

/** Names and values of one thing; a dash for what it has not. */
export function Facts({ pairs }: { pairs: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {pairs.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value === undefined || value === null || value === '' || value === false ? '–' : value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
