/** Adds the labels of everything that a page shows to its data, by one query. */
import type { Labels } from '#lib/text/labels.ts';
import type { Gateway } from '../../chains/daemon/types.ts';
import type { AddressBook } from './addressBook.ts';

/** Matches what has the format of a compressed key, an id, or an address of these chains. */
const NAMED = /^(?:0[23][0-9a-f]{64}|[0-9a-f]{64}|[Rb][1-9A-HJ-NP-Za-km-z]{25,35})$/;
/** Matches keys that can each move a token, joined as in the index. */
const JOINED = /^[0-9a-f]{66}(?:\+[0-9a-f]{66})+$/;
/** More than any page shows; identifiers beyond this number get no labels. */
const MOST_KEYS = 4_000;

/** Returns every string within a page's data that the address book may have a label for. */
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

/** The part of a request that decides about labels. */
interface Asking {
	app: { addressBook: Pick<AddressBook, 'labels'>; gateway: Pick<Gateway, 'chains'> };
	/** Null for an anonymous visitor: labels are for members only. */
	account: unknown;
}

/** Returns the data of a page together with the labels of what it contains. */
export async function withLabels<T extends object>(
	{ app, account }: Asking,
	data: T
): Promise<T & { labels: Labels }> {
	if (account === null) return { ...data, labels: {} };
	// Every page shows the names of the chains.
	const names = namedIn(data);
	for (const chain of app.gateway.chains()) names.add(chain);
	return { ...data, labels: await app.addressBook.labels(names) };
}
