/** The `userpass` of a body: clients of trading nodes bring their credential there. It is never handed on. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { isJsonObject, readableJson, type JsonValue } from '#lib/rpc/json.ts';
import { MAX_DEPTH, readCall, written, type Shape } from './envelope.ts';

export type Userpass =
	| { kind: 'none' }
	/** In every call that has one, the same text; `everywhere` when no call goes without. */
	| { kind: 'given'; text: string; everywhere: boolean; shape: Shape }
	/** No text, or several. */
	| { kind: 'unusable'; shape: Shape };

const NONE: Userpass = { kind: 'none' };

/** A body without either has no such member, however its name is written. */
const MAY_HAVE_ONE = /userpass|\\/;

const memberOf = (item: JsonValue): JsonValue =>
	isJsonObject(item) ? (item['userpass'] ?? null) : null;

/** What a body has as `userpass`, if it can be read. */
export function userpassOf(text: string): Userpass {
	if (!MAY_HAVE_ONE.test(text)) return NONE;
	const body = readableJson(text, { maxDepth: MAX_DEPTH });
	if (body === undefined) return NONE;
	const items = Array.isArray(body) ? (body as readonly JsonValue[]) : [body];
	const found = items.map(memberOf).filter((one) => one !== null);
	const [first] = found;
	if (first === undefined) return NONE;
	const { shape }: { shape: Shape } = Array.isArray(body)
		? { shape: { form: 'legacy' } }
		: readCall(body);
	if (typeof first !== 'string' || found.some((one) => one !== first)) {
		return { kind: 'unusable', shape };
	}
	return { kind: 'given', text: first, everywhere: found.length === items.length, shape };
}

/** The answer to a `userpass` that is not the caller's API token, in the form of the node. */
export const userpassRefusal = (shape: Shape): string =>
	String(written({ status: 401, type: 'UserpassIsInvalid', message: rpcApi.userpass }, shape).body);
