import { createContext, useContext } from 'react';
import type { HostPage } from './host-page.ts';

/** The page that holds this one in a frame; null on a page of its own. */
export const HostContext = createContext<HostPage | null>(null);

export const useHostPage = (): HostPage | null => useContext(HostContext);
