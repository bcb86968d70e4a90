import type { PageData } from './$types';

type Request = PageData['send']['request'];
export type RequestKind = Request['kind'];
/** The request of one kind; several kinds share a type. */
type RequestOf<K extends RequestKind, R = Request> = R extends { kind: infer Kinds }
	? K extends Kinds
		? R
		: never
	: never;

/** Properties of the facts of one kind. */
export interface Shown<K extends RequestKind> {
	request: RequestOf<K>;
	/** The moved token, for its name; null when it cannot be read now. */
	token: PageData['token'];
	/** Display decimals of the created or moved token. */
	decimals: number;
	/** Base URL of the chain's pages. */
	base: string;
}
