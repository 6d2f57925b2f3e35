/** How many statements run at once, and how many calls each of them answers at most. */
interface Bounds {
  readonly atATime: number;
  readonly most: number;
}

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Answers calls together. Those that arrive in the same turn of the event loop share a statement, and so do those that arrive while as many
 * statements run as may at once. So a busy process sends fewer statements than it has requests, while a call on its own waits for nobody. No
 * answer is older than its call. `answer` returns one answer for each call, in their order; if it fails for several calls, each is tried alone.
 */
export function together<Call, Answer>(
  answer: (calls: readonly Call[]) => Promise<readonly Answer[]>,
  { atATime, most }: Bounds,
): (call: Call) => Promise<Answer> {
  let waiting: Waiting<Call, Answer>[] = [];
  let running = 0;

  function start(): void {
    while (running < atATime && waiting.length > 0) {
      const next = waiting.slice(0, most);
      waiting = waiting.slice(most);
      void run(next);
    }
  }

  async function run(calls: readonly Waiting<Call, Answer>[]): Promise<void> {
    running += 1;
    await attempt(calls);
    running -= 1;
    start();
  }

  async function attempt(calls: readonly Waiting<Call, Answer>[]): Promise<void> {
    try {
      const answers = await answer(calls.map(({ call }) => call));
      if (answers.length !== calls.length) throw new Error(`${calls.length} calls got ${answers.length} answers.`);
      for (const [index, { resolve }] of calls.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (calls.length > 1) await Promise.all(calls.map((one) => attempt([one])));
      else for (const { reject } of calls) reject(error);
    }
  }

  return async (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      if (waiting.length === 1) setImmediate(start);
    });
}
