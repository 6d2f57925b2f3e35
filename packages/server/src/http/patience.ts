import { Fault } from '../fault.ts';

/** Waits for work as long as the patience of one request lasts; throws a 500 once it is used up. The work itself goes on. */
export type Patience = <Result>(work: Promise<Result>) => Promise<Result>;

/** The patience of one request, in milliseconds: the sum of what it spends on everything it is used for. */
export function createPatience(ms: number, method: string): Patience {
  let left = ms;
  return async (work) => {
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooSlow(method)), left);
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - began));
    }
  };
}

function tooSlow(method: string): Fault {
  const remedy =
    method === 'GET'
      ? 'try again in a moment'
      : 'whether the request took effect is not known: repeat it with the same Idempotency-Key, or look before you repeat it';
  return new Fault(500, `The database did not answer in time; ${remedy}.`);
}
