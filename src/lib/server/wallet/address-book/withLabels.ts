/** Puts the labels of everything that a page shows beside its data, by one question to the database. */
import type { Labels } from '#lib/text/labels.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { AddressBook } from './addressBook.ts';

/** A compressed key, an id, or an address of these chains, by its form alone. */
const NAMED = /^(?:0[23][0-9a-f]{64}|[0-9a-f]{64}|[Rb][1-9A-HJ-NP-Za-km-z]{25,35})$/;
/** Two keys that can each move a token, as the index joins them. */
const JOINED = /^[0-9a-f]{66}(?:\+[0-9a-f]{66})+$/;
/** More than any page shows: what lies behind is left without labels. */
const MOST_KEYS = 4_000;

/** Every text within a page's data that could stand in the book. */
export function namedIn(data: unknown): Set<string> {
	const found = new Set<string>();
	const walk = (value: unknown, depth: number): void => {
		if (found.size >= MOST_KEYS || depth > 12) return;
		if (typeof value === 'string') {
			if (NAMED.test(value)) found.add(value);
			else if (JOINED.test(value)) for (const one of value.split('+')) found.add(one);
		} else if (Array.isArray(value)) {
			for (const one of value) walk(one, depth + 1);
		} else if (value instanceof Map) {
			for (const [key, one] of value) {
				walk(key, depth + 1);
				walk(one, depth + 1);
			}
		} else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
			for (const one of Object.values(value)) walk(one, depth + 1);
		}
	};
	walk(data, 0);
	return found;
}

/** Who asks, as far as labels are concerned. */
interface Asking {
	app: { addressBook: Pick<AddressBook, 'labels'>; gateway: Pick<Gateway, 'chains'> };
	/** Null for a visitor: what the team calls things is not for everybody. */
	account: unknown;
}

/** The data of a page together with the labels of what is in it. */
export async function withLabels<T extends object>(
	{ app, account }: Asking,
	data: T
): Promise<T & { labels: Labels }> {
	if (account === null) return { ...data, labels: {} };
	// The names of the chains stand on every page.
	const names = namedIn(data);
	for (const chain of app.gateway.chains()) names.add(chain);
	return { ...data, labels: await app.addressBook.labels(names) };
}
