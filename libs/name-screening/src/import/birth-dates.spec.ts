import { describe, expect, it } from 'vitest';
import { birthDatesIn } from './birth-dates.ts';

const day = (from: string, to = from, circa = false) => ({ from, to, circa });

describe('a birth date', () => {
  it.each([
    ['1954', [day('1954-01-01', '1954-12-31')]],
    ['circa 1962', [day('1962-01-01', '1962-12-31', true)]],
    ['15 Jan 1955', [day('1955-01-15')]],
    ['Feb 1960', [day('1960-02-01', '1960-02-29')]],
    ['01 Jan 1974 to 31 Dec 1974', [day('1974-01-01', '1974-12-31')]],
    ['Mar 1962 to Feb 1963', [day('1962-03-01', '1963-02-28')]],
    ['1951 to 1953', [day('1951-01-01', '1953-12-31')]],
    ['circa 1979-1982', [day('1979-01-01', '1982-12-31', true)]],
    ['between 1.1.1961 and 31.12.1963', [day('1961-01-01', '1963-12-31')]],
    ['Between approximately 1957 and 1959', [day('1957-01-01', '1959-12-31', true)]],
    ['11.8.1960', [day('1960-08-11')]],
    ['8 Oct.1970', [day('1970-10-08')]],
    ['1963-05', [day('1963-05-01', '1963-05-31')]],
    ['2 December 1985', [day('1985-12-02')]],
    ['1.1.1964 or 29.12.1968', [day('1964-01-01'), day('1968-12-29')]],
    ['(a) 3.3.1965, (b) 1.1.1966', [day('1965-03-03'), day('1966-01-01')]],
    ['1980-03-13T00:00:00Z', [day('1980-03-13')]],
    ['(probably) 1944', [day('1944-01-01', '1944-12-31', true)]],
  ])('is read from "%s"', (text, dates) => {
    expect(birthDatesIn(text)).toEqual(dates);
  });

  it.each(['', 'unknown', '31 Feb 1960', '13.13.1960', '1999 to 1990', '0001', '30-35 years old'])(
    'is not made up from "%s"',
    (text) => {
      expect(birthDatesIn(text)).toEqual([]);
    },
  );
});
