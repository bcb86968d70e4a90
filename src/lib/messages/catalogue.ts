/**
 * A catalogue of messages: what is stored and decided with is a code and its parameters, and the text that people
 * read is made of them last. One entry says what the parameters are and how they read in English.
 */
import { z } from 'zod';

/** One message: the schema of its parameters, and its text. */
export interface Entry {
	params: z.ZodType;
	text: (params: never) => string;
}

/** Every message of a catalogue, told apart by its code. */
export type MessageOf<Entries extends Readonly<Record<string, Entry>>> = {
	[Code in keyof Entries & string]: {
		readonly code: Code;
		readonly params: z.output<Entries[Code]['params']>;
	};
}[keyof Entries & string];

/** A message as it is compared and stored: its parameters are plain JSON. */
interface AnyMessage {
	readonly code: string;
	readonly params: unknown;
}

/** Describes one message. @param shape its parameters: JSON values only, since messages are stored */
export function entry<Shape extends z.ZodRawShape>(
	shape: Shape,
	text: (params: z.output<z.ZodObject<Shape>>) => string
): { params: z.ZodObject<Shape>; text: typeof text } {
	return { params: z.object(shape), text };
}

/** What every catalogue of stored messages has besides its own. */
export const STORED = {
	/** Text of a release that stored sentences; shown as it was. */
	legacy: entry({ text: z.string() }, ({ text }) => text),
	/** A stored value that no release of this catalogue wrote. */
	unreadable: entry({ text: z.string() }, ({ text }) => `This record cannot be read: ${text}`)
};

/** Characters of a stored value that cannot be read which are shown. */
const MOST_SHOWN = 200;

/** Reads, compares and renders the messages of a catalogue. */
export function catalogueOf<Entries extends Readonly<Record<string, Entry>>>(entries: Entries) {
	type Message = MessageOf<Entries>;
	const codes = new Map<string, Entry>(Object.entries(entries));

	/** The message of a parsed JSON value; null when it is none of this catalogue. */
	const parse = (value: unknown): Message | null => {
		const outer = z.object({ code: z.string(), params: z.unknown() }).safeParse(value);
		if (!outer.success) return null;
		const params = codes.get(outer.data.code)?.params.safeParse(outer.data.params);
		return params?.success ? ({ code: outer.data.code, params: params.data } as Message) : null;
	};

	return {
		parse,
		/** What the message says, in English. */
		text: (message: Message): string => {
			const known = codes.get(message.code) as { text: (params: unknown) => string } | undefined;
			return known ? known.text(message.params) : message.code;
		},
		/** A message as a parameter of another. */
		schema: z.custom<Message>((value) => parse(value) !== null)
	};
}

/** What is written to a column. */
export const storedMessage = ({ code, params }: AnyMessage): string =>
	JSON.stringify({ code, params });

/**
 * Reads a column of a catalogue that holds {@link STORED}. What does not fit is reported as such and shown.
 * @param parse of the catalogue
 */
export function readStored<Message extends AnyMessage>(
	parse: (value: unknown) => Message | null,
	stored: string
): Message | { code: 'unreadable'; params: { text: string } } {
	let value: unknown;
	try {
		value = JSON.parse(stored);
	} catch {
		value = null;
	}
	return parse(value) ?? { code: 'unreadable', params: { text: stored.slice(0, MOST_SHOWN) } };
}

/** JSON whose objects have their members in one order. */
const canonical = (value: unknown): string =>
	JSON.stringify(value, (_, one: unknown) =>
		typeof one === 'object' && one !== null && !Array.isArray(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one
	);

/** True when both say the same thing: the same code of the same parameters. */
export const sameMessage = (a: AnyMessage | null, b: AnyMessage | null): boolean =>
	a === null || b === null
		? a === b
		: a.code === b.code && canonical(a.params) === canonical(b.params);
