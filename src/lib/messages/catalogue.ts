/**
 * Catalogs of messages. Code and database work with a message code and its parameters; the text for people is
 * rendered last. An entry defines the parameters and their English text.
 */
import { z } from 'zod';
import { jsonOrNull } from '#lib/text/jsonOrNull.ts';

/** A message: the schema of its parameters, and its text. */
export interface Entry {
	params: z.ZodType;
	text: (params: never) => string;
}

/** Union of the messages of a catalog, discriminated by code. */
export type MessageOf<Entries extends Readonly<Record<string, Entry>>> = {
	[Code in keyof Entries & string]: {
		readonly code: Code;
		readonly params: z.output<Entries[Code]['params']>;
	};
}[keyof Entries & string];

/** A message for comparing and storing: its parameters are plain JSON. */
interface AnyMessage {
	readonly code: string;
	readonly params: unknown;
}

/** Defines a message. @param shape its parameters: only JSON values, because messages are stored */
export function entry<Shape extends z.ZodRawShape>(
	shape: Shape,
	text: (params: z.output<z.ZodObject<Shape>>) => string
): { params: z.ZodObject<Shape>; text: typeof text } {
	return { params: z.object(shape), text };
}

/** Entries that every catalog of stored messages includes. */
export const STORED = {
	/** Text of an early release that stored sentences; displayed unchanged. */
	legacy: entry({ text: z.string() }, ({ text }) => text),
	/** A stored value that no release of this catalog wrote. */
	unreadable: entry({ text: z.string() }, ({ text }) => `This record cannot be read: ${text}`)
};

/** Characters to display of a stored value that cannot be read. */
const MOST_SHOWN = 200;

/** Creates the functions that parse and render the messages of a catalog. */
export function catalogueOf<Entries extends Readonly<Record<string, Entry>>>(entries: Entries) {
	type Message = MessageOf<Entries>;
	const codes = new Map<string, Entry>(Object.entries(entries));

	/** Returns the message for a parsed JSON value; null when it does not belong to this catalog. */
	const parse = (value: unknown): Message | null => {
		const outer = z.object({ code: z.string(), params: z.unknown() }).safeParse(value);
		if (!outer.success) return null;
		const params = codes.get(outer.data.code)?.params.safeParse(outer.data.params);
		return params?.success ? ({ code: outer.data.code, params: params.data } as Message) : null;
	};

	return {
		parse,
		/** Renders a message in English. */
		text: (message: Message): string => {
			const known = codes.get(message.code) as { text: (params: unknown) => string } | undefined;
			return known ? known.text(message.params) : message.code;
		},
		/** Schema for a message that is a parameter of another one. */
		schema: z.custom<Message>((value) => parse(value) !== null)
	};
}

/** Serializes a message for a column. */
export const storedMessage = ({ code, params }: AnyMessage): string =>
	JSON.stringify({ code, params });

/**
 * Reads a column of a catalog that includes {@link STORED}. An invalid value becomes a message that displays
 * it.
 * @param parse parser of the catalog
 */
export function readStored<Message extends AnyMessage>(
	parse: (value: unknown) => Message | null,
	stored: string
): Message | { code: 'unreadable'; params: { text: string } } {
	return (
		parse(jsonOrNull(stored)) ?? {
			code: 'unreadable',
			params: { text: stored.slice(0, MOST_SHOWN) }
		}
	);
}

/** Serializes JSON with object members in a fixed order. */
const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, one: unknown) =>
		typeof one === 'object' && one !== null && !Array.isArray(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one
	);

/** Whether two messages are the same: equal code and equal parameters. */
export const sameMessage = (a: AnyMessage | null, b: AnyMessage | null): boolean =>
	a === null || b === null
		? a === b
		: a.code === b.code && canonical(a.params) === canonical(b.params);
