/**
 * Loaded before the application with `node --import`: executes orders of the test that started the process.
 * Without the switches of a test build, orders about controls change nothing.
 */
import { createRequire } from 'node:module';
import type SqliteDatabase from 'better-sqlite3';
import type * as Argon2 from '@node-rs/argon2';

/** Orders of a test. */
export type Order =
	| { kind: 'off'; controls: readonly string[] }
	| { kind: 'count' }
	/** A statement for the application's database connection. */
	| { kind: 'sqlite'; statement: string };
/** The report to the test. */
export interface Report {
	/** Password verifications since the start. */
	verifications: number;
}

const off = new Set<string>();
(globalThis as Record<symbol, unknown>)[Symbol.for('komodeck.controls-off')] = off;

// The real SQLite, with each new connection recorded.
const opened: SqliteDatabase.Database[] = [];
const sqlite = createRequire(import.meta.url)('better-sqlite3') as {
	prototype: SqliteDatabase.Database;
};
const { pragma } = sqlite.prototype;
sqlite.prototype.pragma = function (this: SqliteDatabase.Database, ...args) {
	if (!opened.includes(this)) opened.push(this);
	return pragma.apply(this, args);
};

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
		for (const control of order.controls) off.add(control);
	}
	if (order.kind === 'sqlite') {
		opened.find(({ name }) => name.endsWith('komodeck.sqlite'))?.exec(order.statement);
	}
	process.send?.({ verifications } satisfies Report);
});
// The channel must not keep the process alive.
process.channel?.unref();
