/** Who did something, as trails record it: a principal, and of a key the person that X-Actor named. */
export interface Actor {
  kind: 'key' | 'member';
  /** UUID of the key or of the member. */
  id: string;
  /** The name of the key or of the member. */
  name: string;
  /** Of a key: the person that X-Actor named. Nothing but the key vouches for it. */
  on_behalf_of?: string;
}

/** Who acts. */
export interface Acting {
  /** One line for people: the member, the person that X-Actor named, or the prefix of the key. */
  actor: string;
  by: Actor;
}
