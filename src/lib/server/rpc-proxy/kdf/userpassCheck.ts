/** Identifies callers of a trading node by the `userpass` in the body, in place of an API token in the headers. */
import type { IncomingMessage } from 'node:http';
import type { CallBudget } from '../../access/calls/budget.ts';
import type { Member } from '../../access/identity/identity.ts';
import type { KdfGateway } from '../../kdf/client/kdfTypes.ts';
import type { CallerCheck, Uncredited } from '../http/caller.ts';
import { tooMany } from '../http/onceReply.ts';
import type { Reply } from '../http/reply.ts';
import { isPlain, readRpcBody, type RpcBodyLimits } from '../http/rpcBody.ts';
import type { Look } from '../http/whoNow.ts';
import type { Shape } from './envelope.ts';
import { userpassOf, userpassRefusal, type Userpass } from './userpass.ts';

interface Parts {
	callers: CallerCheck;
	nodes: Pick<KdfGateway, 'has'>;
	budget: CallBudget;
	limits: RpcBodyLimits;
}

/** The caller, and a function that identifies them again. */
interface Known {
	identity: Member;
	look: Look;
}

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="jsonrpc"' };
/** Size limit of a body whose sender is not known yet. */
const UNKNOWN_BYTES = 64 * 1024;

/** Creates the check. It sends the refusals itself. */
export function createUserpassCheck({ callers, nodes, budget, limits }: Parts) {
	/**
	 * Refuses a request without a valid credential; in the format of a trading node when a `userpass` was
	 * invalid.
	 * @param bytes of its body that were read before its sender was known
	 */
	async function unauthorized(
		request: IncomingMessage,
		why: Uncredited,
		reply: Reply,
		{ shape = null, bytes = 0 }: { shape?: Shape | null; bytes?: number } = {}
	): Promise<null> {
		const seconds = await callers.refused(request, why, bytes);
		if (seconds !== null) tooMany(reply, seconds);
		else if (shape === null) reply(401, 'text/html; charset=ISO-8859-1', '', CHALLENGE);
		else reply(401, 'application/json', userpassRefusal(shape), CHALLENGE);
		return null;
	}

	/**
	 * Identifies a caller by the `userpass` alone, as clients of trading nodes send it. The refusal is the same
	 * at every address, so that it does not reveal which trading nodes exist.
	 */
	async function byUserpass(
		request: IncomingMessage,
		place: string,
		why: Uncredited,
		reply: Reply
	): Promise<(Known & { text: string }) | null> {
		const text = isPlain(request)
			? await readRpcBody(request, {
					limits: { ...limits, bytes: UNKNOWN_BYTES, hexBytes: UNKNOWN_BYTES },
					mayBeLarge: () => false,
					charge: () => Promise.resolve(true)
				})
			: null;
		// Only what was read counts: nothing of a compressed body, or of one that is declared too long.
		const bytes = typeof text === 'string' ? Buffer.byteLength(text) : (text?.size ?? 0);
		const userpass = typeof text === 'string' ? userpassOf(text) : null;
		if (typeof text !== 'string' || userpass === null || userpass.kind === 'none') {
			return unauthorized(request, why, reply, { bytes });
		}
		const look: Look = async () =>
			userpass.kind === 'given' && userpass.everywhere && nodes.has(place)
				? callers.byToken(request, userpass.text)
				: null;
		const identity = await look();
		if (identity === null) {
			return unauthorized(request, 'credential', reply, { shape: userpass.shape, bytes });
		}
		const wait = await budget.takeBytes(identity, bytes);
		if (wait === null) return { identity, text, look };
		tooMany(reply, wait, 'bytes');
		return null;
	}

	/** Returns the member when the `userpass` is one of their own tokens; null otherwise. */
	async function ownToken(
		request: IncomingMessage,
		identity: Member,
		userpass: Userpass
	): Promise<Member | null> {
		if (userpass.kind !== 'given') return null;
		const named = await callers.byToken(request, userpass.text);
		const isOwn =
			named !== null &&
			(identity.via === 'token'
				? named.token.id === identity.token.id
				: named.account.id === identity.account.id);
		return isOwn ? named : null;
	}

	/**
	 * Checks the `userpass`, if any, of a caller who is identified by the headers: it must be an API token of
	 * the same caller.
	 */
	async function agreed(
		request: IncomingMessage,
		{ identity, look }: Known,
		text: string,
		reply: Reply
	): Promise<Known | null> {
		const userpass = userpassOf(text);
		if (userpass.kind === 'none') return { identity, look };
		const named = await ownToken(request, identity, userpass);
		if (named === null) {
			return unauthorized(request, 'credential', reply, { shape: userpass.shape });
		}
		const lookAtBoth: Look = async () => {
			const now = await look();
			return now === null ? null : ownToken(request, now, userpass);
		};
		return { identity: named, look: lookAtBoth };
	}

	return { byUserpass, agreed, unauthorized };
}
