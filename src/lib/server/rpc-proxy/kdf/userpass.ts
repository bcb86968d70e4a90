/** The `userpass` in the body, in which clients of trading nodes send their credential. It is never passed on. */
import { rpcApi } from '#lib/messages/rpcApi.ts';
import { isJsonObject, readableJson, type JsonValue } from '#lib/rpc/json.ts';
import { MAX_DEPTH, readCall, written, type Shape } from './envelope.ts';

export type Userpass =
	| { kind: 'none' }
	/** The same text in every call that has one; `everywhere` when every call has it. */
	| { kind: 'given'; text: string; everywhere: boolean; shape: Shape }
	/** Not a text, or different ones. */
	| { kind: 'unusable'; shape: Shape };

const NONE: Userpass = { kind: 'none' };

/** A body without the name or a backslash cannot contain the member, even with escapes. */
const MAY_HAVE_ONE = /userpass|\\/;

const memberOf = (item: JsonValue): JsonValue =>
	isJsonObject(item) ? (item['userpass'] ?? null) : null;

/** Returns the `userpass` of a body that can be parsed. */
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

/** Returns the response to a `userpass` that is not the caller's API token, in the node's format. */
export const userpassRefusal = (shape: Shape): string =>
	String(written({ status: 401, type: 'UserpassIsInvalid', message: rpcApi.userpass }, shape).body);
