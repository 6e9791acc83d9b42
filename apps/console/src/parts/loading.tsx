import { useText } from '../text/language.ts';

export function Loading() {
  const { text } = useText();
  return (
    <p className="loading" role="status">
      {text.loading}
    </p>
  );
}
