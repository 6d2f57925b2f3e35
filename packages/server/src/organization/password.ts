import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Cost of argon2id (its library's default algorithm): 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two at a time: more would take the processor from everybody else. */
const most = 2;
let working = 0;
const waiting: (() => void)[] = [];

/** Compared with where there is no such member, so that it takes as long to say no. */
const nobody = hash(randomBytes(16), cost);

/** The argon2id hash of a password, as it is stored. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/** Whether a password is the one a hash was made of. Takes the same time where there is no hash. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const known = passwordHash ?? (await nobody);
  const same = await inTurn(() => verify(known, password));
  return same && passwordHash !== null;
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (working >= most) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}
