/** A link of the trail, as the public sees it. */
export interface TrailLink {
  seq: number;
  hash: string;
  prev_hash: string;
}

/**
 * Whether the public links form one chain without a gap that ends at the head. What the events hold is not public, so their
 * hashes cannot be computed here, but from the audit trail they can.
 */
export function linksHold(trail: readonly TrailLink[], head: string | null): boolean {
  let before = '0'.repeat(64);
  for (const [index, link] of trail.entries()) {
    if (link.seq !== index + 1 || link.prev_hash !== before) return false;
    before = link.hash;
  }
  return trail.length > 0 && before === head;
}
