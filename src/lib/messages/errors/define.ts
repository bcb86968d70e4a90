/** Building blocks of the error catalog. */

/** A parameter of an error message. It must be JSON, and contain no credential. */
export type ParamValue =
	| string
	| number
	| boolean
	| null
	| undefined
	| readonly ParamValue[]
	| { readonly [name: string]: ParamValue };

export type Params = Readonly<Record<string, ParamValue>>;

/** One error of the catalog. */
interface ErrorEntry {
	/** HTTP status of a response that reports this error. */
	readonly status: number;
	/** The form field concerned, when it is always the same one. */
	readonly field?: string;
	/** Message of whole sentences, for pages, scripts and logs. */
	message(params: Params): string;
}

/** The errors of one area, by code: the area, a dot, and the error's name. */
export type ErrorArea<Area extends string> = Readonly<Record<`${Area}.${string}`, ErrorEntry>>;

type Messages = Readonly<Record<string, (params: never) => string>>;

/** Errors that share their properties, by message. */
type Entries<M extends Messages, Facts> = {
	readonly [Code in keyof M]: Facts & { message: M[Code] };
};

const withFacts = <M extends Messages, Facts>(facts: Facts, messages: M): Entries<M, Facts> =>
	Object.fromEntries(
		Object.entries(messages).map(([code, message]) => [code, { ...facts, message }])
	) as Entries<M, Facts>;

/** Defines errors that share an HTTP status. */
export const withStatus = <M extends Messages>(
	status: number,
	messages: M
): Entries<M, { status: number }> => withFacts({ status }, messages);

/** Defines errors that share an HTTP status and a form field. */
export const ofField = <M extends Messages>(
	field: string,
	status: number,
	messages: M
): Entries<M, { status: number; field: string }> => withFacts({ status, field }, messages);

/** Parameters of a message. */
export type ParamsOf<Message> = Message extends () => string
	? Readonly<Record<string, never>>
	: Message extends (params: infer P) => string
		? Readonly<P>
		: never;

/** An error of one area, as a parameter of another error. */
export type CodedOf<Area extends Readonly<Record<string, ErrorEntry>>> = {
	[Code in keyof Area & string]: {
		readonly code: Code;
		readonly params: ParamsOf<Area[Code]['message']>;
	};
}[keyof Area & string];

/** Returns the message of an error of one area. */
export function messageIn<Area extends Readonly<Record<string, ErrorEntry>>>(
	area: Area,
	{ code, params }: CodedOf<Area>
): string {
	// Every code of the area has an entry.
	const { message } = area[code] as ErrorEntry;
	return message(params);
}
