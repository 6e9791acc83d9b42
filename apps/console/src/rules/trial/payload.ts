const TEXTS = ['full_name', 'birth_date', 'country_code', 'document_type', 'document_number', 'currency'] as const;

/** What is known of the subject, as the form says it; null when the further data are no JSON object. */
export function payloadOf(form: FormData): Record<string, unknown> | null {
  const textOf = (name: string): string => String(form.get(name) ?? '').trim();
  const given = TEXTS.map((name) => [name, textOf(name)] as const).filter(([, text]) => text !== '');
  const amount = textOf('amount');
  const more = objectIn(textOf('more'));
  if (more === null) return null;
  return { ...more, ...Object.fromEntries(given), ...(amount !== '' && { amount: Number(amount) }) };
}

function objectIn(text: string): Record<string, unknown> | null {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
