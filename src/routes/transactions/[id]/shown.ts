import type { PageData } from './$types';

type Request = PageData['send']['request'];
export type RequestKind = Request['kind'];
/** What was asked for, of one kind; several kinds share a form. */
type RequestOf<K extends RequestKind, R = Request> = R extends { kind: infer Kinds }
	? K extends Kinds
		? R
		: never
	: never;

/** What each kind's facts are made of. */
export interface Shown<K extends RequestKind> {
	request: RequestOf<K>;
	/** The token that is moved, for its name; null when it cannot be read now. */
	token: PageData['token'];
	/** Of the token that is created or moved, as it is shown here. */
	decimals: number;
	/** The address of the chain's pages. */
	base: string;
}
