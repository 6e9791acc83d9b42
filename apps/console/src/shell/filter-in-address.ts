/** What the address holds of a filter: these texts; anything else in it is left out. */
export const filterInAddress =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const given = names.filter((name) => typeof search[name] === 'string' && search[name] !== '');
    return Object.fromEntries(given.map((name) => [name, search[name]])) as Partial<Record<Name, string>>;
  };
