/** The capture token stands in the fragment: it goes to no server with the address, and outlives a reload without being stored. */
export const tokenInAddress = {
  read: (): string => location.hash.slice(1),
  replace: (token: string): void =>
    history.replaceState(history.state, '', `${location.pathname}${location.search}#${token}`),
};
