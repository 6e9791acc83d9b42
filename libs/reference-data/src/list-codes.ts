/** Codes of the restrictive lists, in the order in which results name them (interface document: on_restrictive_list). */
export const LIST_CODES = ['OFAC', 'ONU', 'PEP', 'EU_SANCTIONS', 'FATF'] as const;

/** The published codes, and INTERNAL: a list that the operator, or one tenant, keeps for itself. Results name it last. */
export const ALL_LIST_CODES = [...LIST_CODES, 'INTERNAL'] as const;
export type ListCode = (typeof ALL_LIST_CODES)[number];
