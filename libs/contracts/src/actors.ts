/** Who did something, as trails record it: a principal, and of a key the person that X-Actor named; or the bearer of a session's token. */
export interface Actor {
  kind: 'key' | 'member' | 'session';
  /** UUID of the key, of the member, or of the session. */
  id: string;
  /** The name of the key or of the member; `subject` for a session. */
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
