import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

/** Cost of argon2id: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Hashes and verifies passwords with argon2id, the default algorithm of its library. */
export interface Passwords {
  /** The hash of a password, as it is stored. */
  hash(password: string): Promise<string>;
  /** Whether a password matches a hash. Takes the same time if there is no hash. */
  matches(passwordHash: string | null, password: string): Promise<boolean>;
}

const serviceCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashing keeps a core busy. More hashes at a time would slow down all other requests. */
const concurrency = 2;

/** Hashing at the cost of the service. Tests pass a lower cost. */
export function createPasswords(cost: PasswordCost = serviceCost): Passwords {
  const inTurn = pLimit(concurrency);
  // Verified if the member does not exist, so that the response takes as long as for a wrong password.
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => inTurn(() => hash(password, cost)),
    matches: async (passwordHash, password) => {
      const known = passwordHash ?? (await (decoy ??= hash(randomBytes(16), cost)));
      const isSame = await inTurn(() => verify(known, password));
      return isSame && passwordHash !== null;
    },
  };
}
