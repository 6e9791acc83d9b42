/** Specs that reach the one module that finds ../shared, as paths from the root of the checkout. */
export declare function specsThatUseShared(root: string): string[];
