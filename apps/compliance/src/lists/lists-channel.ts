/** Announced with every activation; what it carries is not read: the store says what is active. */
export const LISTS_CHANNEL = 'compliance_lists';
