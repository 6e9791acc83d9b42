/**
 * Goes up with every change after which the same file may give other entries. Stored with each version of a list: the same file
 * read by a newer parser is imported again, and not passed over as unchanged.
 */
export const PARSER_VERSION = '1.0.0';
