import type { TypedEntry } from '#lib/server/wallet/address-book/read.ts';

/** The form of an entry as text. */
export function typedEntry(form: FormData): TypedEntry {
	const field = (name: keyof TypedEntry): string => String(form.get(name) ?? '');
	return {
		kind: field('kind'),
		value: field('value'),
		chain: field('chain'),
		label: field('label'),
		note: field('note').replaceAll('\r\n', '\n')
	};
}
