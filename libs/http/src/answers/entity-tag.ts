/** Whether the header If-None-Match names this entity tag (RFC 9110 §13.1.2: weak comparison, a list, or *). */
export function matchesETag(ifNoneMatch: string | undefined, sha256: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const bare = tag.trim().replace(/^W\//, '');
    return bare === '*' || bare === `"${sha256}"`;
  });
}
