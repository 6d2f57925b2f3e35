/** Numbers beside a chart, as far as there are as many. */
const maximumTicks = 5;

/** The smallest of 1, 2, 5, 10, 20 and so on that divides an axis up to `most` into few enough parts. */
export function stepOf(most: number): number {
  for (let power = 1; ; power *= 10) {
    const step = [1, 2, 5].map((factor) => factor * power).find((each) => most / each <= maximumTicks);
    if (step !== undefined) return step;
  }
}
