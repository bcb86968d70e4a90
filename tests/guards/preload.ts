/**
 * Loaded before the application by `node --import`: takes orders from the test that started the process.
 * Without the switches of a test build, the orders about guards change nothing.
 */
import { createRequire } from 'node:module';
import type * as Argon2 from '@node-rs/argon2';

/** What a test may say. */
export type Order = { kind: 'off'; guards: readonly string[] } | { kind: 'count' };
/** What it hears. */
export interface Report {
	/** Password verifications since the start. */
	verifications: number;
}

const off = new Set<string>();
(globalThis as Record<symbol, unknown>)[Symbol.for('komodeck.guards-off')] = off;

// The real argon2, with its verifications counted.
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as {
	-readonly [name in keyof typeof Argon2]: (typeof Argon2)[name];
};
const { verify } = argon2;
let verifications = 0;
argon2.verify = (...args: Parameters<typeof verify>) => {
	verifications += 1;
	return verify(...args);
};

process.on('message', (order: Order) => {
	if (order.kind === 'off') {
		off.clear();
		for (const guard of order.guards) off.add(guard);
	}
	process.send?.({ verifications } satisfies Report);
});
// The application decides when to end, not the channel.
process.channel?.unref();
