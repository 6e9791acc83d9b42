/** Small drawings that go before a text which says the same in words. */

function Drawing({ className, path }: { className: string; path: string }) {
  return (
    <svg className={`mark ${className}`} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="9" />
      <path d={path} />
    </svg>
  );
}

export const Check = () => <Drawing className="good" path="M5.8 10.4l2.8 2.8 5.6-6" />;
export const Cross = () => <Drawing className="bad" path="M7 7l6 6M13 7l-6 6" />;
export const Pause = () => <Drawing className="open" path="M10 5.5v5l3 2" />;

export const VerdictMark = ({ good }: { good: boolean }) => (good ? <Check /> : <Cross />);

const ENDED_WITHOUT_SEAL = ['failed', 'declined', 'voided', 'expired'];

export function StatusMark({ status }: { status: string }) {
  if (status === 'sealed') return <Check />;
  return ENDED_WITHOUT_SEAL.includes(status) ? <Cross /> : <Pause />;
}
