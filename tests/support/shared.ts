import { afterAll, beforeAll } from 'vitest';

/** Something that is ended by one of these methods. */
interface Running {
	stop?: () => unknown;
	close?: () => unknown;
}

/**
 * An object that the tests of a suite share: it is created before the first test, after objects that were
 * shared earlier, and stopped or closed after the last. It does not exist yet while tests are collected.
 */
export function shared<T extends object>(make: () => T | Promise<T>): T {
	let made: (T & Running) | undefined;
	beforeAll(async () => {
		made = await make();
	});
	afterAll(async () => {
		await (made?.stop ?? made?.close)?.call(made);
	});
	/** Bound methods by their unbound ones: reading a method twice returns the same function. */
	const methods = new Map<unknown, unknown>();
	const there = (): T => {
		if (made) return made;
		throw new Error('What tests share is there while they run, not while they are collected.');
	};
	return new Proxy({} as T, {
		get(_, name) {
			const value: unknown = Reflect.get(there(), name);
			if (typeof value !== 'function') return value;
			// A method may use private members, which only the real object has.
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
