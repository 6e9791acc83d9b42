import type { components } from '@constancia/sdk/generated/platform';
import { periodsOf } from '../text/bogota-days.ts';
import { useMoneyText } from './text/language.ts';

type Line = Pick<components['schemas']['UsageLineView'], 'period' | 'module' | 'credits'>;

interface UsageChartProps {
  lines: readonly Line[];
  from: string;
  to: string;
  by: 'day' | 'month';
}

/** As many bars as the API answers days. */
const MOST_BARS = 400;
const MODULES = ['identity', 'compliance', 'seal'];
/** Of a bar, in hundredths of its place. */
const GAP = 20;

/** Credits by period, one bar each, stacked by module. Who does not see it hears its sum, and has the table. */
export function UsageChart({ lines, from, to, by }: UsageChartProps) {
  const { words, number, period: periodName } = useMoneyText();
  const periods = periodsOf(from, to, by, MOST_BARS);
  const sums = sumsBy(lines, ({ period, module }) => `${period} ${module}`);
  const ofPeriod = sumsBy(lines, ({ period }) => period);
  const ofModule = sumsBy(lines, ({ module }) => module);
  const total = lines.reduce((sum, { credits }) => sum + credits, 0);
  const most = Math.max(...ofPeriod.values());
  if (periods.length === 0 || most === 0) return null;
  const [busiest = ''] = [...ofPeriod].find(([, credits]) => credits === most) ?? [];
  const gap = periods.length > 100 ? 0 : GAP;
  return (
    <figure className="chart">
      <div className="chart-most" aria-hidden="true">
        {number(most)}
      </div>
      <svg
        role="img"
        aria-label={words.usage.chart(number(total), number(most), periodName(busiest))}
        viewBox={`0 0 ${periods.length * 100} 100`}
        preserveAspectRatio="none"
      >
        {periods.flatMap((period, index) => {
          let base = 100;
          return MODULES.map((module) => {
            const height = ((sums.get(`${period} ${module}`) ?? 0) / most) * 100;
            base -= height;
            return (
              height > 0 && (
                <rect
                  key={`${period} ${module}`}
                  className={module}
                  x={index * 100 + gap / 2}
                  width={100 - gap}
                  y={base}
                  height={height}
                />
              )
            );
          });
        })}
      </svg>
      <div className="chart-ends" aria-hidden="true">
        <span>{periodName(periods[0] ?? from)}</span>
        {periods.length > 1 && <span>{periodName(periods.at(-1) ?? to)}</span>}
      </div>
      <figcaption>
        <ul className="legend">
          {MODULES.map((module) => (
            <li key={module}>
              <span className={`swatch ${module}`} aria-hidden="true" />
              {words.modules[module]}: {number(ofModule.get(module) ?? 0)}
            </li>
          ))}
          <li>
            <strong>
              {words.usage.total}: {number(total)}
            </strong>
          </li>
        </ul>
      </figcaption>
    </figure>
  );
}

function sumsBy(lines: readonly Line[], keyOf: (line: Line) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of lines) sums.set(keyOf(line), (sums.get(keyOf(line)) ?? 0) + line.credits);
  return sums;
}
