/**
 * Loaded with `node --import` before tests, and before the product in browser tests: password hashes of this
 * process use argon2's minimal cost, and are reported to have the requested cost. Unit tests and all other
 * processes of the product use the real cost.
 */
import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';

const LEAST = { memoryCost: 8, timeCost: 1 } as const;
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as {
	-readonly [name in keyof typeof Argon2]: (typeof Argon2)[name];
};
const { hash, parseOptions } = argon2;
let asked: Argon2.Options | null | undefined;
argon2.hash = (password, options) => {
	asked = options;
	return hash(password, { ...options, ...LEAST });
};
argon2.parseOptions = (stored) => {
	const made = parseOptions(stored);
	return made.memoryCost === LEAST.memoryCost ? { ...made, ...asked } : made;
};
