/** What the catalogue of errors is made of. */

/** A value that an error's message is rendered from. It can be stored as JSON, and holds no credential. */
export type ParamValue =
	| string
	| number
	| boolean
	| null
	| undefined
	| readonly ParamValue[]
	| { readonly [name: string]: ParamValue };

export type Params = Readonly<Record<string, ParamValue>>;

/** One error of the catalogue. */
interface ErrorEntry {
	/** HTTP status of an answer that says this error. */
	readonly status: number;
	/** The field of a form that it belongs to, where that is always the same one. */
	readonly field?: string;
	/** Whole sentences, as pages, scripts and logs show them. */
	message(params: Params): string;
}

/** The errors of one area, by their code: the area, a dot, and what is wrong. */
export type ErrorArea<Area extends string> = Readonly<Record<`${Area}.${string}`, ErrorEntry>>;

type Messages = Readonly<Record<string, (params: never) => string>>;

/** Errors with the same facts, each by its message. */
type Entries<M extends Messages, Facts> = {
	readonly [Code in keyof M]: Facts & { message: M[Code] };
};

const withFacts = <M extends Messages, Facts>(facts: Facts, messages: M): Entries<M, Facts> =>
	Object.fromEntries(
		Object.entries(messages).map(([code, message]) => [code, { ...facts, message }])
	) as Entries<M, Facts>;

/** Errors that are answered with one HTTP status, each by its message. */
export const withStatus = <M extends Messages>(
	status: number,
	messages: M
): Entries<M, { status: number }> => withFacts({ status }, messages);

/** The same for errors that belong to one field of a form. */
export const ofField = <M extends Messages>(
	field: string,
	status: number,
	messages: M
): Entries<M, { status: number; field: string }> => withFacts({ status, field }, messages);

/** What a message is rendered from. */
export type ParamsOf<Message> = Message extends () => string
	? Readonly<Record<string, never>>
	: Message extends (params: infer P) => string
		? Readonly<P>
		: never;

/** An error of one area, as a param of an error of another. */
export type CodedOf<Area extends Readonly<Record<string, ErrorEntry>>> = {
	[Code in keyof Area & string]: {
		readonly code: Code;
		readonly params: ParamsOf<Area[Code]['message']>;
	};
}[keyof Area & string];

/** The message of an error of one area. */
export function messageIn<Area extends Readonly<Record<string, ErrorEntry>>>(
	area: Area,
	{ code, params }: CodedOf<Area>
): string {
	// A code of the area is one of its entries.
	const { message } = area[code] as ErrorEntry;
	return message(params);
}
