import { afterAll, beforeAll } from 'vitest';

/** Something that runs until it is ended, by one of these. */
interface Running {
	stop?: () => unknown;
	close?: () => unknown;
}

/**
 * Something that the tests of a suite share: it is made before the first of them, after what was shared before it,
 * and stopped or closed after the last. While the tests are collected it is not there yet, as a database is not.
 */
export function shared<T extends object>(make: () => T | Promise<T>): T {
	let made: (T & Running) | undefined;
	beforeAll(async () => {
		made = await make();
	});
	afterAll(async () => {
		await (made?.stop ?? made?.close)?.call(made);
	});
	/** Methods by what they are bound from: a method is the same one whenever it is read. */
	const methods = new Map<unknown, unknown>();
	const there = (): T => {
		if (made) return made;
		throw new Error('What tests share is there while they run, not while they are collected.');
	};
	return new Proxy({} as T, {
		get(_, name) {
			const value: unknown = Reflect.get(there(), name);
			if (typeof value !== 'function') return value;
			// It may reach for private members, which only the thing itself has.
			if (!methods.has(value)) methods.set(value, value.bind(there()));
			return methods.get(value);
		},
		set: (_, name, value) => Reflect.set(there(), name, value),
		has: (_, name) => Reflect.has(there(), name),
		ownKeys: () => Reflect.ownKeys(there()),
		getOwnPropertyDescriptor(_, name) {
			const found = Reflect.getOwnPropertyDescriptor(there(), name);
			return found && { ...found, configurable: true };
		}
	});
}
