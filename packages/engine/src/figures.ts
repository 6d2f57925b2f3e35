/** A fraction as a percentage with one decimal. Null becomes a dash. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}

const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Seconds in the largest unit that they fill, with one decimal. Null becomes a dash. */
export function duration(seconds: number | null): string {
  if (seconds === null) return '–';
  const [unit, length] = units.find((each) => seconds >= each[1]) ?? ['s', 1];
  return `${(seconds / length).toFixed(1)} ${unit}`;
}
