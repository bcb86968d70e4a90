/** The forms of the pages about Merkle roots: their fields come from the query string. */
import { bareText } from '#lib/chain/bareText.ts';
import { isHash } from '#lib/chain/idText.ts';
import { rootFieldFaults } from '#lib/messages/pages/roots.ts';

const HIGHEST = 2_147_483_647;

/** The value of a field, or what is wrong with it, as a sentence. */
type Read<T> = { value: T } | { fault: string };
type Reader<T> = (text: string) => Read<T>;
type Readers = Readonly<Record<string, Reader<unknown>>>;

type Values<R extends Readers> = {
	[Name in keyof R]: R[Name] extends Reader<infer T> ? T : never;
};

/** Returns a reader of whole numbers within these bounds. */
export const wholeNumber =
	(least: number, most = HIGHEST): Reader<number> =>
	(text) => {
		if (!/^\d{1,10}$/.test(text)) return { fault: rootFieldFaults.notWhole };
		const value = Number(text);
		if (value < least) return { fault: rootFieldFaults.tooSmall(least) };
		return value > most ? { fault: rootFieldFaults.tooLarge(most) } : { value };
	};

/** Reads the name of a chain; whether there is one of this name is not checked. */
export const chainName: Reader<string> = (text) =>
	/^[\x21-\x7e]{1,64}$/.test(text) ? { value: text } : { fault: rootFieldFaults.notAChain };

/** Reads a txid in either case. */
export const transactionId: Reader<string> = (text) =>
	isHash(text.toLowerCase()) ? { value: text.toLowerCase() } : { fault: rootFieldFaults.notATxid };

/** Makes a field optional: null when it is empty. */
export const optional =
	<T>(read: Reader<T>): Reader<T | null> =>
	(text) =>
		text === '' ? { value: null } : read(text);

/** Returns the text of these fields in the query string. */
export function typedFields<R extends Readers>(
	url: URL,
	readers: R
): { [Name in keyof R]: string } {
	const typed = Object.keys(readers).map((name) => [
		name,
		bareText(url.searchParams.get(name) ?? '')
	]);
	return Object.fromEntries(typed) as { [Name in keyof R]: string };
}

/**
 * Reads all fields of a form.
 * @returns `values` null when a field is invalid, with a sentence for each such field
 */
export function readFields<R extends Readers>(
	typed: { [Name in keyof R]: string },
	readers: R
): { values: Values<R> | null; errors: { [Name in keyof R]?: string } } {
	const values: Record<string, unknown> = {};
	const errors: { [Name in keyof R]?: string } = {};
	for (const name of Object.keys(readers)) {
		const read = readers[name]!(typed[name]!);
		if ('fault' in read) errors[name as keyof R] = read.fault;
		else values[name] = read.value;
	}
	return { values: Object.keys(errors).length === 0 ? (values as Values<R>) : null, errors };
}
