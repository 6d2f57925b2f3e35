import { createPasswords, type Passwords } from '@runward/server/internal/access/passwords';

/** Hashing at the lowest cost that argon2 allows. */
export const cheapPasswords: Passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
