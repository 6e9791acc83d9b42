const HIDDEN = '***';

/** A mail address that its owner recognises and a stranger cannot guess: `ana.perez@correo.example.co` → `a***@c***.co`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const end = domain.lastIndexOf('.');
  const top = end === -1 ? '' : domain.slice(end);
  return `${first(local)}${HIDDEN}@${first(domain)}${HIDDEN}${top}`;
}

function first(text: string): string {
  return [...text][0] ?? '';
}
